// Rows as a file, made in the page: nothing is sent anywhere.

export function csv(columns, rows) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",") + "\n").join("");
}

export function json(columns, rows) {
  const objects = rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null])));
  return JSON.stringify(objects, null, 1) + "\n";
}

export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type: type.startsWith("text") ? `${type};charset=utf-8` : type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a page from a file may not be allowed to
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
