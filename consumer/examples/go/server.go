// Takes Dockline's announcements, each once and in order: ANNOUNCE_SECRET=whsec_… go run .
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"go.etcd.io/bbolt"
)

// Version and signature. A server may have joined headers with commas.
var signature = regexp.MustCompile(`[^\s,]+,[^\s,]+`)

var database = must(bbolt.Open(cmp.Or(os.Getenv("DATABASE"), "announcements.db"), 0o600, nil))

func must[T any](value T, err error) T {
	if err != nil {
		panic(err) // in a request it ends the connection, so that Dockline sends again
	}
	return value
}

func take(id string, body []byte) (status int) {
	var message struct {
		ID   string
		Data json.RawMessage
	}
	must(0, json.Unmarshal(body, &message))
	if message.ID != id {
		return 401
	}
	if strings.HasPrefix(id, "test/") {
		return 204 // a test of the connection
	}
	var data struct {
		Kind, Tenant, ID   string
		Revision, Previous uint64   // Previous is what this endpoint gets before it; null leaves 0
		Advice             struct { // of orders: what shipped, of each line, and in which parcels
			TrackingNumbers []string
			Lines           []struct {
				SKU              string
				Ordered, Shipped json.Number
			}
		}
	}
	must(0, json.Unmarshal(message.Data, &data))
	subject, revision := data.Kind+":"+data.Tenant+":"+data.ID, data.Revision
	if revision == 0 {
		subject, revision = id, 1 // it is about no subject
	}
	status = 204
	must(0, database.Update(func(tx *bbolt.Tx) error { // one at a time; an error or a panic keeps nothing of it
		bucket := must(tx.CreateBucketIfNotExists([]byte("subjects")))
		last, _ := strconv.ParseUint(string(bucket.Get([]byte(subject))), 10, 64)
		if data.Previous > last {
			status = 425 // one before it is missing: Dockline sends both again, in order
		} else if revision > last {
			fmt.Println("taken", id) // your work, in the same transaction
			for _, line := range data.Advice.Lines {
				fmt.Println(" ", line.SKU, line.Ordered, line.Shipped)
			}
			fmt.Println(" ", strings.Join(data.Advice.TrackingNumbers, " "))
			return bucket.Put([]byte(subject), strconv.AppendUint(nil, revision, 10))
		}
		return nil
	}))
	return status
}

func main() {
	secret := os.Getenv("ANNOUNCE_SECRET")
	if len(secret) < 32 {
		panic("ANNOUNCE_SECRET is no secret") // the library would verify with an empty one
	}
	webhook := must(standardwebhooks.NewWebhook(secret))
	http.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body := must(io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<20)))
		signatures := strings.Join(r.Header.Values("webhook-signature"), " ") // of one header or several
		r.Header.Set("webhook-signature", strings.Join(signature.FindAllString(signatures, -1), " "))
		status := 401
		if webhook.Verify(body, r.Header) == nil {
			status = take(r.Header.Get("webhook-id"), body)
		}
		w.WriteHeader(status)
	})
	listener := must(net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "3000")))
	fmt.Println("listening on", listener.Addr())
	must(0, http.Serve(listener, nil))
}
