;; Edits a values file as a person would, with the configuration of docs/editors.md.
;; command-line-args-left: the configuration, and a directory with a module and prod.tfvars.
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)

(defvar patience 60)

;; What the mode of a package does with the text does not matter here.
(define-derived-mode terraform-mode prog-mode "Terraform")

(defun await (what holds)
  "Waits for the server until HOLDS returns something."
  (let ((end (+ (float-time) patience)) result)
    (while (not (setq result (funcall holds)))
      (when (> (float-time) end) (error "%s: nothing came" what))
      (accept-process-output nil 0.05))
    result))

(defun await-diagnostics (count)
  (flymake-start)
  (await "diagnostics" (lambda () (= count (length (flymake-diagnostics))))))

(defun ask (method params)
  (jsonrpc-request (eglot-current-server) method params :timeout patience))

(defun here () (eglot--TextDocumentPositionParams))

(defun first-line () (buffer-substring (point-min) (progn (goto-char (point-min)) (line-end-position))))

(let ((config (pop command-line-args-left)) (dir (pop command-line-args-left)))
  (load config nil t)
  (find-file (expand-file-name "prod.tfvars" dir))
  (terraform-mode)
  (let ((inhibit-message t)) (apply #'eglot--connect (eglot--guess-contact)))
  (await "the server" #'eglot-current-server)
  (await-diagnostics 2)
  (princ "diagnostics:")
  (dolist (it (flymake-diagnostics))
    (princ (format " %d" (line-number-at-pos (flymake-diagnostic-beg it)))))

  (goto-char (point-min))
  (search-forward "= ")
  (let* ((found (ask :textDocument/completion (here)))
         (items (if (vectorp found) found (plist-get found :items))))
    (princ (format "\ncompletion: %s" (mapconcat (lambda (it) (plist-get it :label)) items ", "))))

  ;; The nearest name.
  (goto-char (point-min))
  (search-forward "siez")
  (let* ((range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position)))
         (params (list :textDocument (eglot--TextDocumentIdentifier) :range range
                       :context (list :diagnostics [])))
         (fix (elt (ask :textDocument/codeAction params) 0)))
    (princ (format "\nquick fix: %s" (plist-get fix :title))))

  (goto-char (point-min))
  (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)) (inhibit-message t))
    (eglot-rename "count_of"))
  (princ (format "\nrenamed: %s" (first-line)))

  (let ((inhibit-message t))
    (erase-buffer)
    (insert "size=2\n")
    (eglot--signal-textDocument/didChange)
    (await-diagnostics 0)
    (eglot-format-buffer))
  (princ (format "\nformatted: %s\n" (first-line)))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot-current-server)))
