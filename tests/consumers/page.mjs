// What runs in the browser.
import "bootstrap/dist/css/bootstrap.css";
import { mount } from "./form.mjs";

window.show = async (schema) => {
  window.outcome = await mount(document.getElementById("form"), schema);
};
