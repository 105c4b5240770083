import type { AnnouncementData, Json, RecordName } from './announcement.ts';
import { AnnouncementError } from './announcement-error.ts';

/** Where Dockline is reached, and how records are asked for. */
export interface FetchOptions {
  /** Address under which Dockline's `/records/` can be reached: `https://hooks.example.com`. */
  readonly baseUrl: string;
  /** Token of this endpoint, which those who run Dockline gave out. */
  readonly token: string;
  /** Ends the requests. Default: each may take 10 seconds. */
  readonly signal?: AbortSignal;
}

/** Timeout of a request, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Fetches the records that were left out of an announcement, each as it would have been sent. Throws `ERR_RECORD` if one cannot be had;
 * its `status` is 410 once Dockline no longer keeps it. Redirects are not followed, since the token would go with them.
 */
export async function fetchMissing(
  { recordsAt = {} }: Pick<AnnouncementData, 'recordsAt'>,
  options: FetchOptions,
): Promise<{ readonly [N in RecordName]?: Json }> {
  const places = Object.entries(recordsAt) as [RecordName, string][];
  return Object.fromEntries(
    await Promise.all(places.map(async ([name, path]) => [name, await fetchRecord(path, options)])),
  );
}

async function fetchRecord(path: string, { baseUrl, token, signal }: FetchOptions): Promise<Json> {
  // An address of somebody else would get the token.
  if (!path.startsWith('/records/')) throw new AnnouncementError('ERR_RECORD', `${path} is no path of a record`);
  try {
    const response = await fetch(baseUrl.replace(/\/$/, '') + path, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 200) return (await response.json()) as Json;
    await response.body?.cancel();
    throw new AnnouncementError('ERR_RECORD', `${path} was answered ${response.status}`, { status: response.status });
  } catch (cause) {
    if (cause instanceof AnnouncementError) throw cause;
    throw new AnnouncementError('ERR_RECORD', `${path} cannot be fetched`, { cause });
  }
}
