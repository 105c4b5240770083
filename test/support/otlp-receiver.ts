import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { listen } from './listen.ts';

/** The parts of OTLP (opentelemetry-proto, trace/v1) that spans need. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Export { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; uint32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
  }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; uint32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`);

/** Span as a collector receives it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly service: unknown;
  /** Resource of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Traces and spans that are linked. */
  readonly links: readonly string[];
  /** Message of an error; undefined if there was none. */
  readonly error: string | undefined;
  readonly ms: number;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

// biome-ignore lint/suspicious/noExplicitAny: decoded by the schema above
type Decoded = any;

const attributesOf = (attributes: Decoded): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }: Decoded) => [key, Object.values(value)[0]]));

function spansIn(body: Uint8Array): ReceivedSpan[] {
  const message = root.lookupType('Export').decode(body);
  const { resourceSpans } = root
    .lookupType('Export')
    .toObject(message, { longs: Number, arrays: true, defaults: true }) as Decoded;
  return resourceSpans.flatMap(({ resource, scopeSpans }: Decoded) =>
    scopeSpans.flatMap(({ spans }: Decoded) =>
      spans.map(
        (span: Decoded): ReceivedSpan => ({
          name: span.name,
          traceId: hex(span.traceId),
          spanId: hex(span.spanId),
          parentId: hex(span.parentSpanId),
          resource: attributesOf(resource.attributes),
          service: attributesOf(resource.attributes)['service.name'],
          attributes: attributesOf(span.attributes),
          links: span.links.map((link: Decoded) => `${hex(link.traceId)} ${hex(link.spanId)}`),
          error: span.status?.code === 2 ? span.status.message : undefined,
          ms: (span.endTimeUnixNano - span.startTimeUnixNano) / 1e6,
        }),
      ),
    ),
  );
}

/** Starts a collector that decodes what it receives over OTLP. It closes when the test ends. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  let status = 200;
  let requests = 0;
  let authorization: string | undefined;
  const paths = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    requests += 1;
    authorization = request.headers.authorization;
    paths.add(request.url ?? '');
    if (status === 0) return;
    if (status === 200) {
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      spans.push(...spansIn(bytes));
    }
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
  });
  const port = await listen(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans: (): readonly ReceivedSpan[] => spans,
    requests: () => requests,
    /** Credential of the last request. */
    authorization: () => authorization,
    paths: (): ReadonlySet<string> => paths,
    /** Sets the status of the answers from now on; 0 for none. */
    setAnswer(next: number) {
      status = next;
    },
  };
}
