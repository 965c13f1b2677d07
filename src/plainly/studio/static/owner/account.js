// Changing one's own password.
import { call, onSubmit, Refused } from "./api.js";
import { say, tell } from "./dom.js";

const form = document.querySelector("#account");

onSubmit(form, async (fields) => {
  if (fields.password.value !== fields.repeat.value) throw new Refused(say("login.differ"), 422);
  await call("POST", "/api/me/password", { current: fields.current.value, password: fields.password.value });
  form.reset();
  tell(form.querySelector(".messages"), say("owner.account.changed"), "good");
});
