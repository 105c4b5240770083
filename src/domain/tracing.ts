import { type SubjectRef, subjectKey } from './catalogue/subject.ts';

/** Traces are W3C `traceparent` texts; malformed ones are ignored. */
export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'producer';
  /** Continues the first and links the others. Without any it continues the current one, or begins one. */
  readonly traces?: readonly string[] | undefined;
  readonly links?: readonly string[] | undefined;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
}

/** They never fail or delay what they trace. */
export interface Tracing {
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Lasted until now; added to the current span, if there is one. */
  ended(name: string, options: SpanOptions & { readonly ms: number; readonly error?: string | undefined }): void;
  annotate(attributes: NonNullable<SpanOptions['attributes']>): void;
  /** As a `traceparent`; undefined outside of any. */
  current(): string | undefined;
}

export const subjectAttributes = (subject: SubjectRef) => ({
  'dockline.subject': subjectKey(subject),
  'dockline.tenant': subject.tenant,
});

export const inSpan = <T>(
  { tracing }: { readonly tracing?: Tracing | undefined },
  name: string,
  describe: () => SpanOptions,
  work: () => Promise<T>,
): Promise<T> => (tracing ? tracing.span(name, describe(), work) : work());
