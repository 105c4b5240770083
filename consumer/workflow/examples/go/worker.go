// Charges for orders once they have shipped: TEMPORAL_ADDRESS=localhost:7233 TASK_QUEUE=fulfillment go run .
package main

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Subject is the argument of a workflow that an announcement starts.
type Subject struct {
	Tenant string `json:"tenant"`
	Kind   string `json:"kind"`
	ID     string `json:"id"`
}

// Announcement has what this workflow needs of the argument of the signal.
type Announcement struct {
	Data struct {
		Milestone string `json:"milestone"`
		Revision  int    `json:"revision"`
		Previous  int    `json:"previous"` // revision of the one that comes before it; null leaves 0
	} `json:"data"`
}

// A gap that lasts is accepted, such as that of a run which starts after the first announcements.
const gapTimeout = time.Minute

// Fulfillment returns what became of the order.
func Fulfillment(ctx workflow.Context, subject Subject) (string, error) {
	signals := workflow.GetSignalChannel(ctx, "dockline")
	early, last := map[int]Announcement{}, 0 // by revision
	for {
		var announcement Announcement
		if len(early) == 0 {
			signals.Receive(ctx, &announcement)
		} else if ok, _ := signals.ReceiveWithTimeout(ctx, gapTimeout, &announcement); !ok {
			last = first(early).Data.Previous
		}
		if announcement.Data.Revision > last { // others are duplicates, or no announcements
			early[announcement.Data.Revision] = announcement
		}
		for len(early) > 0 && first(early).Data.Previous <= last {
			next := first(early)
			last = next.Data.Revision
			delete(early, last)
			switch next.Data.Milestone {
			case "confirmed":
				return "captured", nil // your activity
			case "canceled", "deleted":
				return "released", nil
			}
		}
	}
}

// first returns the announcement of the least revision, whatever the order of the map: a workflow has to be deterministic.
func first(early map[int]Announcement) Announcement {
	return early[slices.Min(slices.Collect(maps.Keys(early)))]
}

func main() {
	c, err := client.Dial(client.Options{HostPort: cmp.Or(os.Getenv("TEMPORAL_ADDRESS"), client.DefaultHostPort)})
	if err != nil {
		panic(err)
	}
	defer c.Close()
	w := worker.New(c, cmp.Or(os.Getenv("TASK_QUEUE"), "fulfillment"), worker.Options{})
	w.RegisterWorkflowWithOptions(Fulfillment, workflow.RegisterOptions{Name: "fulfillment"})
	if err := w.Run(worker.InterruptCh()); err != nil {
		panic(err)
	}
}
