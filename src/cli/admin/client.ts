/** The administrative API as the command line speaks to it; what it refuses is an Error with its detail. */
export interface AdminClient {
  // biome-ignore lint/suspicious/noExplicitAny: the API belongs to this project; what it answers is shown
  get(path: string, query?: Readonly<Record<string, unknown>>): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  post(path: string, body?: object): Promise<any>;
}

/** A client of the API at this address. */
export function createAdminClient({
  url,
  token,
}: {
  readonly url: string;
  readonly token: string | undefined;
}): AdminClient {
  async function call(path: string, init: { readonly method: string; readonly body?: object }): Promise<unknown> {
    const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
      method: init.method,
      // The token is for this address and no other.
      redirect: 'manual',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(init.body && { 'content-type': 'application/json' }),
      },
      ...(init.body && { body: JSON.stringify(init.body) }),
    }).catch((cause: unknown) => {
      throw new Error(`nothing answers at ${url}: is Dockline running? ADMIN_URL says where`, { cause });
    });
    const answer = await response.json().catch(() => undefined);
    if (response.ok && answer !== undefined) return answer;
    throw new Error(explain(response.status, url, answer));
  }

  return {
    get: (path, query = {}) => call(`${path}${searchOf(query)}`, { method: 'GET' }),
    post: (path, body) => call(path, { method: 'POST', ...(body && { body }) }),
  };
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length > 0 ? `?${search}` : '';
}

function explain(status: number, url: string, answer: unknown): string {
  const { detail } = (answer ?? {}) as { readonly detail?: string };
  if (status === 401) return 'the token is not taken: ADMIN_TOKEN has to be that of Dockline';
  return detail ?? `what answers at ${url} (with ${status}) is not Dockline's administrative API`;
}
