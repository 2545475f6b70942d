// Command charsets records what Go's golang.org/x/text makes of many bytes and characters, for
// `textdecodebase64` and `textencodebase64`:
//
//	go run ./charsets > ../data/functions/charsets.txt
//
// A line is an encoding's name, the SHA-256 of all decodings, and that of all encodings.
// tests/it/functions/charsets.rs goes over the same.
package main

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/unicode/norm"
)

var names = strings.Fields(`
us-ascii utf-8 utf-16 utf-16be utf-16le ibm037 ibm437 ibm850 ibm852 ibm855 ibm00858 ibm860 ibm862 ibm863 ibm865 ibm866
ibm1047 ibm01140 iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-8859-7
iso-8859-8 iso-8859-8-e iso-8859-8-i iso-8859-9 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r
koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255
windows-1256 windows-1257 windows-1258 euc-jp iso-2022-jp shift_jis euc-kr gb18030 gbk hz-gb-2312 big5`)

func main() {
	for _, name := range names {
		charset, err := ianaindex.IANA.Encoding(name)
		if err != nil || charset == nil {
			panic(name)
		}
		decoded, encoded := sha256.New(), sha256.New()
		decode := func(bytes ...byte) {
			text, err := charset.NewDecoder().Bytes(bytes)
			if err != nil || strings.ContainsRune(string(text), 0xfffd) {
				text = []byte("-")
			}
			fmt.Fprintf(decoded, "%s\n", norm.NFC.Bytes(text))
		}
		for first := 0; first < 256; first++ {
			decode(byte(first))
			for second := 0x21; first >= 0x80 && second < 0xff; second += 3 {
				decode(byte(first), byte(second))
			}
		}
		for char := rune(0); char < 0x30000; char += 1 + char/0x180 {
			if char >= 0xd800 && char < 0xe000 || char >= 0xe76c && char <= 0xe864 {
				continue
			}
			for _, text := range []string{string(char), "a" + string(char) + "～ｱb~c"} {
				bytes, err := charset.NewEncoder().Bytes(norm.NFC.Bytes([]byte(text)))
				if err != nil {
					bytes = []byte("-")
				}
				fmt.Fprintf(encoded, "%x\n", bytes)
			}
		}
		fmt.Printf("%s %x %x\n", name, decoded.Sum(nil), encoded.Sum(nil))
	}
}
