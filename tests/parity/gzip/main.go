// Command gzip records what Go's compress/gzip makes of many texts, as `base64gzip` uses it:
//
//	go run ./gzip > ../data/functions/gzip.txt
//
// A line is the recipe of the text (kind, seed, length), the length of the result and its SHA-256.
// tests/it/functions/gzip.rs makes the same texts.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// enc is what Terraform does: write, flush, close.
func enc(s string) string {
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	gz.Write([]byte(s))
	gz.Flush()
	gz.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

type rnd struct{ s uint64 }

func (r *rnd) next() uint64 {
	r.s = r.s*6364136223846793005 + 1442695040888963407
	return r.s >> 33
}
func (r *rnd) below(n int) int { return int(r.next() % uint64(n)) }

var words = []string{"a", "b", "the ", "resource ", "terraform ", "{", "}\n", "\"", "=", " ", "\t", "abc", "xyz", "0123456789", "é", "日本", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}

// text makes a text by a recipe: kind, seed and length.
func text(kind, seed, n int) string {
	r := &rnd{uint64(seed)}
	var b strings.Builder
	for b.Len() < n {
		switch kind {
		case 0: // noise over printable characters
			b.WriteByte(byte(32 + r.below(95)))
		case 1: // words
			b.WriteString(words[r.below(len(words))])
		case 2: // one character
			b.WriteByte('x')
		case 3: // few characters, so many short matches
			b.WriteByte(byte('a' + r.below(3)))
		case 4: // pieces of what was there before
			if b.Len() > 8 && r.below(4) != 0 {
				s := b.String()
				from := r.below(len(s))
				to := from + 1 + r.below(300)
				if to > len(s) {
					to = len(s)
				}
				b.WriteString(s[from:to])
			} else {
				b.WriteByte(byte(32 + r.below(95)))
			}
		case 5: // skewed frequencies, long codes
			k := 0
			for k < 90 && r.below(2) == 0 {
				k++
			}
			b.WriteByte(byte(32 + k))
		case 6: // far repetitions: a block of noise again and again
			q := &rnd{uint64(seed)}
			for i := 0; i < 30000+r.below(6000); i++ {
				b.WriteByte(byte(32 + q.below(95)))
			}
		}
	}
	return b.String()
}

var lengths = []int{0, 1, 2, 3, 4, 5, 7, 10, 16, 33, 64, 100, 255, 258, 300, 1000, 4096, 5000, 16383, 16384, 20000, 32768, 40000, 65274, 65275, 65536, 65537, 70000, 98304, 100000, 140000}

func main() {
	for kind := 0; kind <= 6; kind++ {
		for _, n := range lengths {
			for seed := 1; seed <= 3; seed++ {
				if kind == 2 && seed > 1 || n > 20000 && seed > 1 {
					continue
				}
				if n > 100000 && kind != 0 {
					continue
				}
				if n > 65274 && n != 70000 && (kind == 1 || kind >= 3 && kind <= 5) {
					continue
				}
				out := enc(text(kind, seed, n))
				fmt.Printf("%d %d %d %d %x\n", kind, seed, n, len(out), sha256.Sum256([]byte(out)))
			}
		}
	}
}
