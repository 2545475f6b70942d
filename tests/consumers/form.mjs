// A form for a schema with annotations, and hands that fill it in, in a browser as in jsdom.
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import Form from "@rjsf/core";
import validator, { customizeValidator } from "@rjsf/validator-ajv8";
import Ajv2020 from "ajv/dist/2020.js";
import ajvErrors from "ajv-errors";

// Variables in the order of the module, secrets unseen, long texts behind a question mark.
export function uiSchema(schema) {
  const properties = Object.entries(schema.properties);
  const order = (it) => it[1]["x-terraform"].order;
  const secrets = properties.filter(([, it]) => it.writeOnly && it.type === "string");
  return {
    "ui:order": properties.sort((a, b) => order(a) - order(b)).map(([name]) => name),
    ...Object.fromEntries(secrets.map(([name]) => [name, { "ui:widget": "password" }])),
  };
}

// The usual validator, one that reads the authors' messages, or one for the newer draft.
function validatorFor(schema) {
  const options = {};
  if (schema.$schema.includes("2020-12")) options.AjvClass = Ajv2020;
  if (JSON.stringify(schema).includes('"errorMessage"')) options.extenderFn = (ajv) => ajvErrors(ajv);
  return Object.keys(options).length ? customizeValidator(options) : validator;
}

// Renders the form and gives what becomes of it: the submitted document, or the errors.
export async function mount(container, schema) {
  const outcome = { data: null, errors: [] };
  const form = createElement(Form.default ?? Form, {
    schema,
    uiSchema: uiSchema(schema),
    noHtml5Validate: true,
    validator: validatorFor(schema),
    onSubmit: ({ formData }) => Object.assign(outcome, { data: formData, errors: [] }),
    onError: (errors) => Object.assign(outcome, { data: null, errors: errors.map((it) => it.stack) }),
  });
  createRoot(container).render(form);
  await settled();
  return outcome;
}

// Carries out steps: ["set", ID, TEXT], ["choose", ID, LABEL], ["tick", ID], ["press", SELECTOR].
export async function fill(container, steps) {
  for (const [action, place, text] of steps) {
    const selector = action === "press" ? place : `[id="${place}"]`;
    const element = await appeared(() => container.querySelector(selector), selector);
    if (action === "set") change(element, text);
    if (action === "choose") choose(element, text);
    if (action === "tick" || action === "press") element.click();
    await settled();
  }
}

export async function submit(container, outcome) {
  container.querySelector("button[type=submit]").click();
  await appeared(() => outcome.data ?? outcome.errors.length, "outcome");
}

function choose(element, label) {
  const option = [...element.options].find((it) => it.textContent === label);
  if (!option) throw new Error(`no choice ${label} in ${element.id}`);
  change(element, option.value);
}

// As a key press would: React overrides the element's own setter to see what changed.
function change(element, value) {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set;
  setter.call(element, value);
  element.dispatchEvent(new Event(element.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  // A key is taken when its field is left.
  element.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
}

function settled() {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

// What is asked for, as soon as it is there.
async function appeared(find, what) {
  for (let tries = 0; tries < 250; tries += 1) {
    const found = find();
    if (found) return found;
    await settled();
  }
  throw new Error(`there is no ${what}`);
}
