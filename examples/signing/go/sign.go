// Prints the signature of a request. ../README.md says how to call it.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

// #region sign
type parameter struct{ name, value string }

// sign takes decoded names and values in query, and in body the exact bytes that are sent.
func sign(method, path string, query []parameter, body []byte, timestamp, nonce, secret string) string {
	bodyHash := sha256.Sum256(body)
	lines := []string{method, path, canonicalQuery(query), hex.EncodeToString(bodyHash[:]), timestamp, nonce}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(mac.Sum(nil))
}

func canonicalQuery(query []parameter) string {
	signed := make([]parameter, 0, len(query))
	for _, one := range query {
		if one.name != "token" {
			signed = append(signed, one)
		}
	}
	sort.Slice(signed, func(a, b int) bool { return signed[a].name < signed[b].name })
	written := make([]string, len(signed))
	for i, one := range signed {
		written[i] = percent(one.name) + "=" + percent(one.value)
	}
	return strings.Join(written, "&")
}

// url.QueryEscape cannot be used here, because it encodes a space as +.
func percent(text string) string {
	const stay = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(stay, text[i]) >= 0 {
			out.WriteByte(text[i])
		} else {
			fmt.Fprintf(&out, "%%%02X", text[i])
		}
	}
	return out.String()
}

// #endregion

func main() {
	secret := os.Getenv("CORPRAIL_SIGNING_SECRET")
	if len(os.Args) < 5 || secret == "" {
		fmt.Fprintln(os.Stderr, "CORPRAIL_SIGNING_SECRET=sig_... sign METHOD PATH TIMESTAMP NONCE [name=value ...] < body")
		os.Exit(2)
	}
	var query []parameter
	for _, pair := range os.Args[5:] {
		name, value, _ := strings.Cut(pair, "=")
		query = append(query, parameter{name, value})
	}
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(sign(os.Args[1], os.Args[2], query, body, os.Args[3], os.Args[4], secret))
}
