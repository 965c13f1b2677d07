// Logging in, and making the first owner.
import { call, onSubmit, Refused } from "./api.js";
import { say } from "./dom.js";

onSubmit(document.querySelector("#login"), async (fields) => {
  await call("POST", "/api/login", { name: fields.name.value, password: fields.password.value });
  location.assign(document.querySelector("#login").dataset.next || "/");
});

onSubmit(document.querySelector("#setup"), async (fields) => {
  if (fields.password.value !== fields.repeat.value) throw new Refused(say("login.differ"), 422);
  await call("POST", "/api/setup", { code: fields.code.value.trim(), name: fields.name.value, password: fields.password.value });
  location.assign("/");
});
