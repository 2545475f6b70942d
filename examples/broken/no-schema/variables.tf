# Nobody has generated the schema.
variable "name" {
  type = string
}
