import type { FastifyInstance } from 'fastify';
import { found } from '../http/problem.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import { idParams } from './queries.ts';
import { listQuarantined } from './views/quarantine.ts';
import type { Sources } from './views/view.ts';

/** Dependencies of the routes of quarantined events. */
export interface EventRoutesDeps extends Pick<Sources, 'reads'> {
  readonly actions: Actions;
}

/** Adds `POST /quarantine/{id}/replay`. */
export function eventRoutes(app: FastifyInstance, { reads, actions }: EventRoutesDeps): void {
  app.post('/quarantine/:id/replay', needs.act, async (request): Promise<Answer<'Replayed'>> => {
    const { id } = idParams.parse(request.params);
    const [event] = await listQuarantined({ reads }, { id }, { after: 0, limit: 1 });
    found(event, 'The event is not quarantined.');
    return { ingested: await actions.replay(id, actorOf(request)) };
  });
}
