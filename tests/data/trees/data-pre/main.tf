variable "q" {
  default = 1
}
data "terraform_remote_state" "b" {
  backend = "local"
  config  = { path = "s.tfstate" }
  lifecycle {
    precondition {
      condition     = var.q == 2
      error_message = "pre"
    }
    postcondition {
      condition     = self.outputs.x == "z"
      error_message = "post ${self.outputs.x}"
    }
  }
}
output "o" {
  value = tonumber(data.terraform_remote_state.b.outputs.x)
}
