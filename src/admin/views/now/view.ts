import { livePage } from '../../board/responder.ts';
import type { View } from '../view.ts';
import { lateOf, nowPage } from './page.ts';
import { createOverview } from './read.ts';

/** First page: what needs a person, where the orders are, and whether anything moves. Its readers share its values. */
export const nowView: View = {
  pages: [
    {
      path: '/',
      role: 'read',
      open(sources) {
        const { findAway, hasStageLimits, isOfCustomers, share } = sources;
        const read = createOverview(sources);
        return share(async () => {
          const overview = await read();
          return livePage(nowPage, {
            ...overview,
            late: lateOf(overview, Date.now()),
            away: findAway(),
            hasStageLimits,
            isOfCustomers,
          });
        });
      },
    },
  ],
};
