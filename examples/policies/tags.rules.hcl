# Everything of AWS that can have tags says who owns it and where it belongs. A type that can have tags has tags_all,
# which is what its plan has in the end, the provider's default_tags among them; a type without it is not judged.
context "environments" {
  type    = list(string)
  default = ["dev", "test", "prod"]
}

locals {
  owner       = string({ min_length = 3 })
  environment = any(context.environments...)
}

# Only a plan can tell: before it nobody knows which types have tags_all, and what default_tags add.
rule "tags" {
  message   = "Owner and environment are tags of everything that can have tags."
  undecided = "note"

  resource "aws_*" {
    tags_all = { owner = local.owner, environment = local.environment }
  }
}

# What is written must be right before a plan, too.
rule "written-tags" {
  undecided = "off"

  resource "aws_*" {
    tags = optional({ owner = optional(local.owner), environment = optional(local.environment) })
  }
}

# The one type whose tags are blocks.
rule "group-tags" {
  resource "aws_autoscaling_group" {
    tag = all(
      some({ key = "owner", value = local.owner, propagate_at_launch = true }),
      some({ key = "environment", value = local.environment, propagate_at_launch = true }),
    )
  }
}

test "tags are there and are known names" {
  plan = "plans/tags.json"
  expect = {
    tags = {
      "aws_s3_bucket.tagged"    = "pass"
      "aws_s3_bucket.misplaced" = "fail"
      "aws_sqs_queue.untagged"  = "fail"
      "aws_vpc.later"           = "undecided"
      "aws_route.untaggable"    = "pass"
    }
    group-tags = {
      "aws_autoscaling_group.tagged"   = "pass"
      "aws_autoscaling_group.untagged" = "fail"
    }
  }
}

test "another list of environments" {
  plan    = "plans/tags.json"
  context = { environments = ["moon"] }
  expect = {
    tags = {
      "aws_s3_bucket.tagged"   = "fail"
      "aws_sqs_queue.untagged" = "fail"
      "aws_vpc.later"          = "undecided"
    }
    group-tags = "fail"
  }
}

test "before a plan wrong tags are wrong, and missing ones may be default_tags" {
  config = <<-EOT
    resource "aws_s3_bucket" "misplaced" {
      tags = { owner = "shop", environment = "moon" }
    }
    resource "aws_sqs_queue" "untagged" {}
    resource "aws_vpc" "tagged" {
      tags = { Name = "main" }
    }
    resource "aws_autoscaling_group" "untagged" {
      min_size = 1
    }
  EOT
  expect = {
    tags         = "undecided"
    written-tags = {
      "aws_s3_bucket.misplaced"        = "fail"
      "aws_sqs_queue.untagged"         = "undecided"
      "aws_autoscaling_group.untagged" = "undecided"
    }
    group-tags   = "fail"
  }
}
