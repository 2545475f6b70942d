package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// Pieces that mutants get: what the language is made of, and what it is not.
var pieces = []string{
	"\n", "\r\n", "\r", " ", "\t", "\"", "'", "\\", "$", "%", "${", "%{", "$${", "%%{", "}", "~}", "${~",
	"{", "(", ")", "[", "]", ",", ".", "..", "...", ":", "::", "?", "=", "==", "=>", "!=", "!", "<", "<=",
	">", "&&", "||", "&", "|", "^", "~", "+", "-", "*", "/", ";", "@", "`", "#", "//", "/*", "*/",
	"<<EOT\n", "<<-EOT\n", "EOT\n", "\nEOT\n", "  EOT\n", "%{ if a }", "%{ else }", "%{ endif }",
	"%{ for a in b }", "%{ endfor ~}", "for", "in", "if", "true", "null", "a", "a-b", "é", "e\u0301",
	"😀", "\u00a0", "\u2028", "\ufeff", "\x00", "\xff", "\xc0\xaf", "\xe2\x82", "0", "1.5", "1e3", "1e", "0x1f",
	"a.b", "a[0]", "a.0", "a.*.b", "a[*].b", "f(a)", "[for a in b : a]", "{for a in b : a => a...}",
	"{ a = 1 }", "b {\n}\n", "b \"c\" {\n  d = 1\n}\n", "\"a${b}c\"", "\\n", "\\u00e9", "\\q",
}

// mutate makes mutants of blocks of the files: the text between two blank lines at most.
func mutate(files []input, count int, seed uint64) []input {
	random := rand.New(rand.NewPCG(seed, 7))
	mutants := make([]input, 0, count)
	for len(mutants) < count {
		file := files[random.IntN(len(files))]
		block := pick(random, file.bytes)
		if len(block) == 0 {
			continue
		}
		for range 1 + random.IntN(3) {
			block = change(random, block)
		}
		id := fmt.Sprintf("mutant/%d/%d", seed, len(mutants))
		mutants = append(mutants, input{id, block})
	}
	return mutants
}

// pick takes a paragraph or a few of them.
func pick(random *rand.Rand, source []byte) []byte {
	paragraphs := bytes.SplitAfter(source, []byte("\n\n"))
	first := random.IntN(len(paragraphs))
	last := min(len(paragraphs), first+1+random.IntN(2))
	block := bytes.Join(paragraphs[first:last], nil)
	if len(block) > 4000 {
		block = block[:4000]
	}
	return bytes.Clone(block)
}

func change(random *rand.Rand, text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	at := random.IntN(len(text))
	to := min(len(text), at+1+random.IntN(6))
	piece := []byte(pieces[random.IntN(len(pieces))])
	switch random.IntN(6) {
	case 0:
		return bytes.Join([][]byte{text[:at], text[to:]}, nil)
	case 1, 2:
		return bytes.Join([][]byte{text[:at], piece, text[at:]}, nil)
	case 3:
		return bytes.Join([][]byte{text[:at], piece, text[to:]}, nil)
	case 4:
		return bytes.Join([][]byte{text[:to], text[at:to], text[to:]}, nil)
	default:
		from := random.IntN(len(text))
		end := min(len(text), from+random.IntN(40))
		return bytes.Join([][]byte{text[:at], text[from:end], text[at:]}, nil)
	}
}
