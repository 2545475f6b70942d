// What runs in the browser.
import "bootstrap/dist/css/bootstrap.css";
import { mount, fill, submit } from "./form.mjs";

window.run = async (schema, steps) => {
  const container = document.getElementById("form");
  window.outcome = await mount(container, schema);
  await fill(container, steps);
};
window.submit = () => submit(document.getElementById("form"), window.outcome).then(() => window.outcome);
