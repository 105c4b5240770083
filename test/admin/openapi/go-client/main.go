// Finds the order that is named by a reference, and leaves a note on it, by the generated client.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/client/dockline"
)

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ADMIN_TOKEN"))
		return nil
	}
	client, err := dockline.NewClientWithResponses(os.Getenv("ADMIN_URL"), dockline.WithRequestEditorFn(authorize))
	if err != nil {
		log.Fatal(err)
	}
	found, err := client.SearchWithResponse(ctx, &dockline.SearchParams{Q: os.Args[1]})
	if err != nil {
		log.Fatal(err)
	}
	if found.ApplicationproblemJSON401 != nil {
		log.Fatal(found.ApplicationproblemJSON401.Detail)
	}
	order := found.JSON200.Items[0]
	operator := "clerk"
	note, err := client.AddNoteWithResponse(
		ctx, order.Tenant, dockline.AddNoteParamsKind(order.Kind), order.Id,
		&dockline.AddNoteParams{XOperator: &operator}, dockline.AddNoteJSONRequestBody{Text: "Waits for a pallet."},
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.Stage, note.Status(), note.JSON201.Text)
}
