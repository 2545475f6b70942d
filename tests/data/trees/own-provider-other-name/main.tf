terraform {
  required_providers {
    own = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
provider "own" {
  a = 1
}
