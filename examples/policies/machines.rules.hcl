# Machines start from images that were looked at, and are of sizes that somebody pays for.
context "images" {
  type        = list(string)
  description = "The images that were approved"
  default     = ["ami-0a1", "ami-0b2"]
}

rule "approved-images" {
  resource "aws_instance" {
    ami = any(context.images...)
  }
}

rule "approved-sizes" {
  resource "aws_instance" {
    instance_type = string({ pattern = "^(t3|t4g|m7g)\\.(nano|micro|small|medium|large)$" })
  }
}

test "images and sizes" {
  plan = "plans/machines.json"
  expect = {
    approved-images = {
      "aws_instance.old"   = "fail"
      "aws_instance.later" = "undecided"
    }
    approved-sizes = { "aws_instance.large" = "fail" }
  }
}
