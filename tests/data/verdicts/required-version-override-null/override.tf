terraform {
  required_version = null
}
