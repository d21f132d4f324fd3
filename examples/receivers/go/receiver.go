// Receives Corprail's callbacks. ../README.md says how to start it. Go 1.19 or later.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
)

const freshSeconds = 300
const maxBodyBytes = 64 * 1024

var token, secret, state = os.Getenv("CORPRAIL_TOKEN"), os.Getenv("CORPRAIL_CALLBACK_SECRET"), or(os.Getenv("STATE_DIR"), "receiver-state")
var unixSeconds = regexp.MustCompile(`^[0-9]{10}$`)

// #region verify
func same(key string, message []byte, given string) bool {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(message)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(given))
}

// verifiedQuery verifies version 2: the hash covers every parameter that arrived except itself.
func verifiedQuery(raw string) map[string]string {
	query, err := url.ParseQuery(raw)
	if err != nil || token == "" {
		return nil
	}
	fields := map[string]string{}
	var signed []string
	for name, values := range query {
		if len(values) != 1 {
			return nil
		}
		fields[name] = values[0]
		if name != "hash" {
			signed = append(signed, name)
		}
	}
	sort.Strings(signed)
	for i, name := range signed {
		signed[i] = name + "=" + fields[name]
	}
	if !same(token, []byte(strings.Join(signed, "&")), fields["hash"]) || fields["v"] != "2" {
		return nil
	}
	return fields
}

// verifiedBody verifies version 3: the signature covers the exact bytes, so check it before parsing.
func verifiedBody(body []byte, given string) map[string]string {
	if secret == "" || !same(secret, body, given) {
		return nil
	}
	var fields map[string]string
	if err := json.Unmarshal(body, &fields); err != nil || fields["v"] != "3" {
		return nil
	}
	return fields
}

// #endregion

// #region book
// once is true the first time. In production, use an insert into a table with a unique key.
func once(kind, key string) (bool, error) {
	folder := filepath.Join(state, kind)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return false, err
	}
	name := sha256.Sum256([]byte(key))
	file, err := os.OpenFile(filepath.Join(folder, hex.EncodeToString(name[:])), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, file.Close()
}

// take returns the answer to a callback whose signature is valid.
func take(fields map[string]string) (int, string, error) {
	ts, _ := strconv.ParseInt(fields["ts"], 10, 64)
	age := now() - ts
	if !unixSeconds.MatchString(fields["ts"]) || age > freshSeconds || age < -freshSeconds {
		return 403, "stale", nil
	}
	if fields["nonce"] == "" {
		return 403, "replayed", nil
	}
	if first, err := once("nonces", fields["nonce"]); err != nil || !first {
		return 403, "replayed", err
	}
	// A FAILED after a SUCCESS has another key: it must be applied.
	key := fields["orderid"] + " " + fields["status"]
	if fields["event"] == "complaint" {
		key = "complaint " + fields["complaint_ref"]
	}
	if first, err := once("booked", key); err != nil || !first {
		return 200, "known", err
	}
	if fields["test"] == "1" {
		return 200, "test", nil
	}
	return 200, "booked", nil // Here your own work: in one transaction with the key.
}

// #endregion

func now() int64 {
	if given, err := strconv.ParseInt(os.Getenv("CLOCK_SECONDS"), 10, 64); err == nil {
		return given
	}
	return time.Now().Unix()
}

func or(given, otherwise string) string {
	if given == "" {
		return otherwise
	}
	return given
}

func receive(writer http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(io.LimitReader(request.Body, maxBodyBytes+1))
	if err != nil || len(body) > maxBodyBytes || (request.Method != http.MethodGet && request.Method != http.MethodPost) {
		http.Error(writer, "not a callback", http.StatusBadRequest)
		return
	}
	var fields map[string]string
	if request.Method == http.MethodPost {
		fields = verifiedBody(body, request.Header.Get("X-Callback-Signature"))
	} else {
		fields = verifiedQuery(request.URL.RawQuery)
	}
	if fields == nil {
		http.Error(writer, "wrong signature", http.StatusForbidden)
		return
	}
	status, text, err := take(fields)
	if err != nil {
		log.Print(err)
		status, text = http.StatusInternalServerError, "not booked" // Not 2xx: it will be sent again.
	}
	if status == 200 {
		fields["result"] = text
		line, _ := json.Marshal(fields)
		fmt.Println(string(line))
	}
	writer.Header().Set("Content-Type", "text/plain")
	writer.WriteHeader(status)
	fmt.Fprintln(writer, text)
}

func main() {
	if token == "" && secret == "" {
		log.Fatal("Set CORPRAIL_TOKEN (version 2) or CORPRAIL_CALLBACK_SECRET (version 3), or both.")
	}
	address := or(os.Getenv("HOST"), "127.0.0.1") + ":" + or(os.Getenv("PORT"), "3000")
	log.Fatal(http.ListenAndServe(address, http.HandlerFunc(receive)))
}
