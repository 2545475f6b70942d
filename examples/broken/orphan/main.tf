# No variables, so nothing for the schema to say.
locals {
  name = "web"
}
