// Charges for orders once they have shipped: TEMPORAL_ADDRESS=localhost:7233 TASK_QUEUE=fulfillment go run .
package main

import (
	"cmp"
	"os"
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
	early, last := map[int]Announcement{}, 0 // by the revision before each
	for {
		var announcement Announcement
		if len(early) == 0 {
			signals.Receive(ctx, &announcement)
		} else if ok, _ := signals.ReceiveWithTimeout(ctx, gapTimeout, &announcement); !ok {
			last = first(early)
		}
		if announcement.Data.Revision > last { // others are duplicates, or no announcements
			early[announcement.Data.Previous] = announcement
		}
		for next, ok := following(early, last); ok; next, ok = following(early, last) {
			last = next.Data.Revision
			switch next.Data.Milestone {
			case "confirmed":
				return "captured", nil // your activity
			case "canceled", "deleted":
				return "released", nil
			}
		}
	}
}

// following removes and returns an announcement that waits for none after the last one.
func following(early map[int]Announcement, last int) (Announcement, bool) {
	if len(early) == 0 || first(early) > last {
		return Announcement{}, false
	}
	next := early[first(early)]
	delete(early, first(early))
	return next, true
}

// first returns the least key, whatever the order of the map: a workflow has to be deterministic.
func first(early map[int]Announcement) int {
	least := -1
	for previous := range early {
		if least < 0 || previous < least {
			least = previous
		}
	}
	return least
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
