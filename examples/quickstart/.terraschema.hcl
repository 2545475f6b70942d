# Judge values files only: this module has no committed schema.
rule "missing-schema" {
  level = "off"
}
