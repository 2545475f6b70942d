// Command parity records what Go's hashicorp/hcl/v2 says about real files and mutants of them, in
// the form of tests/data/syntax, so that the tests can compare. CONTRIBUTING.md says how to run it.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

type place struct {
	Summary string `json:"summary"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
}

type record struct {
	ID          string  `json:"id"`
	Kind        string  `json:"kind"`
	Input       *string `json:"input,omitempty"`
	InputBase64 string  `json:"input_base64,omitempty"`
	Accept      bool    `json:"accept"`
	Errors      []place `json:"errors"`
	Tree        any     `json:"tree"`
}

func main() {
	mutants := flag.Int("mutants", 0, "record this many mutants in place of the files")
	seed := flag.Uint64("seed", 1, "seed of the mutants")
	bench := flag.Bool("bench", false, "measure parsing in place of recording")
	identifiers := flag.Bool("identifiers", false, "record which characters begin and continue identifiers")
	expressions := flag.Bool("lines", false, "record standard input, one expression a line as a Go string")
	flag.Parse()
	if *expressions {
		recordLines()
		return
	}
	if *identifiers {
		recordIdentifiers()
		return
	}
	files := find(flag.Args())
	switch {
	case *bench:
		measure(files)
	case *mutants > 0:
		write(mutate(files, *mutants, *seed))
	default:
		write(files)
	}
}

type input struct {
	id    string
	bytes []byte
}

// find reads all native files below the roots; the same content is taken once.
func find(roots []string) []input {
	var files []input
	seen := map[string]bool{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			if ext := filepath.Ext(path); ext != ".tf" && ext != ".tfvars" && ext != ".hcl" {
				return nil
			}
			bytes, err := os.ReadFile(path)
			if err == nil && !seen[string(bytes)] {
				seen[string(bytes)] = true
				files = append(files, input{path, bytes})
			}
			return err
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	return files
}

func write(inputs []input) {
	writer := bufio.NewWriterSize(os.Stdout, 1<<20)
	out := json.NewEncoder(writer)
	out.SetEscapeHTML(false)
	for _, it := range inputs {
		if err := out.Encode(newRecord(it.id, "body", it.bytes)); err != nil {
			log.Fatal(err)
		}
	}
	if err := writer.Flush(); err != nil {
		log.Fatal(err)
	}
}

// recordIdentifiers writes the ranges of characters beyond ASCII that begin ("start") and that continue
// ("continue") an identifier: the kind, the first and the last code point.
func recordIdentifiers() {
	for _, it := range []struct{ kind, before string }{{"start", ""}, {"continue", "a"}} {
		first := rune(-1)
		for char := rune(0x80); char <= unicode.MaxRune+1; char++ {
			valid := utf8.ValidRune(char) && hclsyntax.ValidIdentifier(it.before+string(char))
			if valid && first < 0 {
				first = char
			}
			if !valid && first >= 0 {
				fmt.Printf("%s %x %x\n", it.kind, first, char-1)
				first = -1
			}
		}
	}
}

func recordLines() {
	scanner := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for line := 1; scanner.Scan(); line++ {
		kind, text, _ := strings.Cut(scanner.Text(), " ")
		var bytes string
		if _, err := fmt.Sscanf(text, "%q", &bytes); err != nil {
			log.Fatalf("line %d: %v", line, err)
		}
		if err := out.Encode(newRecord(fmt.Sprintf("line/%d", line), kind, []byte(bytes))); err != nil {
			log.Fatal(err)
		}
	}
}

func newRecord(id, kind string, bytes []byte) record {
	result := record{ID: id, Kind: kind, Errors: []place{}}
	if utf8.Valid(bytes) {
		text := string(bytes)
		result.Input = &text
	} else {
		result.InputBase64 = base64.StdEncoding.EncodeToString(bytes)
	}
	dump := dumper{source: bytes}
	var diags hcl.Diagnostics
	switch kind {
	case "expression":
		expr, found := hclsyntax.ParseExpression(bytes, "", hcl.InitialPos)
		if diags = found; !diags.HasErrors() {
			result.Tree = dump.expr(expr)
		}
	case "template":
		expr, found := hclsyntax.ParseTemplate(bytes, "", hcl.InitialPos)
		if diags = found; !diags.HasErrors() {
			result.Tree = dump.expr(expr)
		}
	default:
		file, found := hclsyntax.ParseConfig(bytes, "", hcl.InitialPos)
		if diags = found; !diags.HasErrors() {
			result.Tree = dump.body(file.Body.(*hclsyntax.Body))
		}
	}
	for _, it := range diags {
		result.Errors = append(result.Errors, place{it.Summary, it.Subject.Start.Byte, it.Subject.End.Byte})
	}
	result.Accept = !diags.HasErrors()
	return result
}

func measure(files []input) {
	total := 0
	start := time.Now()
	for _, it := range files {
		total += len(it.bytes)
		hclsyntax.ParseConfig(it.bytes, it.id, hcl.InitialPos)
	}
	seconds := time.Since(start).Seconds()
	mib := float64(total) / 1e6
	fmt.Printf("Go: %d files, %.1f MB in %.2f s: %.1f MB/s\n", len(files), mib, seconds, mib/seconds)
}
