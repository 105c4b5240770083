import { request } from 'undici';

/** Bulk action that is running. */
export interface RunningBulk {
  /** Cancels it; resolves with the number of items that were done. */
  stop(): Promise<number>;
}

/** Resends every dead letter, as `dockline admin bulk resend` does. */
export async function startBulkResend(origin: string): Promise<RunningBulk> {
  const post = async (path: string, sent: object = {}) => {
    const headers = { 'content-type': 'application/json' };
    const { statusCode, body } = await request(`${origin}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(sent),
    });
    const answer = (await body.json()) as { readonly id: number; readonly done: number };
    if (statusCode >= 300) throw new Error(`${path} was answered ${statusCode}`);
    return answer;
  };
  const { id } = await post('/bulk', { action: 'resend' });
  await post(`/bulk/${id}/confirm`);
  return { stop: async () => (await post(`/bulk/${id}/cancel`)).done };
}
