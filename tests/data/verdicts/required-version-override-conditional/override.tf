terraform {
  required_version = true ? null : ">= 99"
}
