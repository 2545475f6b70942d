variable "q" {
  default = "q"
}
variable "n" {
  default = null
}
variable "s" {
  default   = "sec"
  sensitive = true
}
variable "e" {
  default   = "sec"
  ephemeral = true
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.q == "q"
      error_message = tonumber(var.q)
    }
    precondition {
      condition     = var.q == "z"
      error_message = var.n
    }
    precondition {
      condition     = var.q == "z"
      error_message = [var.q]
    }
    precondition {
      condition     = var.q == "z"
      error_message = "s ${var.s}"
    }
    precondition {
      condition     = var.q == "z"
      error_message = "s ${var.e}"
    }
    precondition {
      condition     = var.q == "z"
      error_message = ""
    }
  }
}
