-- Edits a values file as a person would, with the configuration of docs/editors.md.
-- arg: the configuration, and a directory with a module and prod.tfvars.
local config, dir = arg[1], arg[2]
local patience = 60000

local function diagnostics()
  return vim.tbl_map(function(it) return it.lnum .. " " .. it.code end, vim.diagnostic.get(0))
end

local function await(count)
  local came = vim.wait(patience, function() return #diagnostics() == count end)
  assert(came, "diagnostics: " .. vim.inspect(diagnostics()))
end

local function run()
  dofile(config)
  vim.cmd.edit(dir .. "/prod.tfvars")
  await(2)
  print("diagnostics: " .. table.concat(diagnostics(), ", "))

  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  local function ask(method, line, character, more)
    local params = {
      textDocument = { uri = vim.uri_from_bufnr(0) },
      position = { line = line, character = character },
    }
    params = vim.tbl_extend("force", params, more or {})
    local answer = client:request_sync(method, params, patience, 0)
    assert(answer and not answer.err, method .. ": " .. vim.inspect(answer))
    return answer.result
  end

  local found = ask("textDocument/completion", 0, 7)
  local labels = vim.tbl_map(function(it) return it.label end, found.items or found)
  print("completion: " .. table.concat(labels, ", "))

  local edit = ask("textDocument/rename", 0, 1, { newName = "count_of" })
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
  print("renamed: " .. vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])

  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "count_of=2" })
  await(0)
  vim.lsp.buf.format({ timeout_ms = patience })
  print("formatted: " .. vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])
end

local ok, why = pcall(run)
if not ok then print("failed: " .. tostring(why)) end
vim.cmd("qa!")
