# Every object of these types says who owns it and where it belongs. tags_all has the tags of the provider, too.
context "environments" {
  type    = list(string)
  default = ["dev", "test", "prod"]
}

locals {
  tags = {
    owner       = string({ min_length = 3 })
    environment = any(context.environments...)
  }
}

rule "tags" {
  message = "Owner and environment are tags of everything that can have tags."

  resource "aws_instance, aws_ebs_volume, aws_ami, aws_launch_template" {
    tags_all = local.tags
  }
  resource "aws_s3_bucket, aws_dynamodb_table, aws_db_instance, aws_rds_cluster, aws_efs_file_system" {
    tags_all = local.tags
  }
  resource "aws_vpc, aws_subnet, aws_security_group, aws_lb, aws_nat_gateway, aws_eip" {
    tags_all = local.tags
  }
  resource "aws_lambda_function, aws_sqs_queue, aws_sns_topic, aws_kms_key, aws_iam_role" {
    tags_all = local.tags
  }
  resource "aws_eks_cluster, aws_ecs_cluster, aws_ecr_repository, aws_cloudwatch_log_group" {
    tags_all = local.tags
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
  }
}
