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

export function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
