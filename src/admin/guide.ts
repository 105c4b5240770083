import type { FastifyInstance } from 'fastify';
import type { Markup } from './board/html.ts';

/** What a demonstration adds to the board. */
export interface Guide {
  /** Its content is an element with the id `guide`, which a button with the label opens. */
  drawer(temporalUrl: string | undefined): { readonly label: string; readonly content: Markup };
  addRoutes(app: FastifyInstance, onChange: () => void): void;
}
