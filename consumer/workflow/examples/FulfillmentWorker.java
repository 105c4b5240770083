// Charges for orders once they have shipped. TEMPORAL_ADDRESS and TASK_QUEUE say where.
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

public class FulfillmentWorker {
  /** A gap that lasts is accepted, such as that of a run which starts after the first announcements. */
  private static final Duration GAP_TIMEOUT = Duration.ofMinutes(1);

  @WorkflowInterface
  public interface Fulfillment {
    @WorkflowMethod(name = "fulfillment")
    String run(Map<String, String> subject);

    @SignalMethod(name = "dockline")
    void receive(Map<String, Object> announcement);
  }

  public static class FulfillmentWorkflow implements Fulfillment {
    private final TreeMap<Integer, Map<?, ?>> early = new TreeMap<>(); // by revision
    private int last = 0;

    @Override
    public void receive(Map<String, Object> announcement) {
      // Others are duplicates, or no announcements.
      if (announcement.get("data") instanceof Map<?, ?> data && number(data, "revision") > last)
        early.put(number(data, "revision"), data);
    }

    @Override
    public String run(Map<String, String> subject) {
      while (true) {
        switch (next()) {
          case "confirmed":
            return "captured"; // your activity
          case "canceled", "deleted":
            return "released";
          default:
        }
      }
    }

    /** Waits for the announcement that comes next in the order of the subject; returns its milestone. */
    private String next() {
      Workflow.await(() -> !early.isEmpty());
      if (!follows()) Workflow.await(GAP_TIMEOUT, this::follows);
      var next = early.pollFirstEntry();
      last = next.getKey();
      return String.valueOf(next.getValue().get("milestone"));
    }

    private boolean follows() {
      return number(early.firstEntry().getValue(), "previous") <= last;
    }

    private static int number(Map<?, ?> data, String name) {
      return data.get(name) instanceof Number number ? number.intValue() : 0;
    }
  }

  public static void main(String[] args) {
    var env = System.getenv();
    var target = env.getOrDefault("TEMPORAL_ADDRESS", "localhost:7233");
    var options = WorkflowServiceStubsOptions.newBuilder().setTarget(target).build();
    var client = WorkflowClient.newInstance(WorkflowServiceStubs.newServiceStubs(options));
    var factory = WorkerFactory.newInstance(client);
    factory
        .newWorker(env.getOrDefault("TASK_QUEUE", "fulfillment"))
        .registerWorkflowImplementationTypes(FulfillmentWorkflow.class);
    factory.start();
  }
}
