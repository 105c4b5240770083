import { DocklineError } from '../../domain/errors.ts';
import { rankOf } from '../../domain/priority.ts';
import type { Known, Urgency, WarehouseAnswer } from '../gets.ts';
import { readAnswer } from './answer.ts';
import { type Api, type GetOptions, PATIENCE_MS } from './api.ts';
import { Flight } from './flight.ts';
import {
  describeLack,
  describeMany,
  type Found,
  isOther,
  judge,
  type Loaded,
  type Page,
  type Records,
  readPage,
  readStored,
} from './page-answer.ts';
import type { PageTrust } from './page-trust.ts';
import type { Answer } from './transport.ts';

/** Wait for others that are known to come. */
const COMPANY_MS = 500;

/** Ids that need no escaping in a filter. */
const LISTABLE = /^[\w-]+$/;

type LoadOptions = GetOptions & Pick<Urgency, 'known'>;

class Batch extends Flight<Outcome> {
  /** Undefined until its turn has come. */
  ids: readonly string[] | undefined;
  isAsked = false;
  sample: Promise<Loaded> | undefined;
}

/** `page` is absent if the GET failed. */
interface Outcome {
  readonly begunAt: number;
  readonly answered: WarehouseAnswer | undefined;
  readonly single?: Answer | undefined;
  readonly page?: Page | undefined;
}

const NO_ROWS: Page = { count: 0, rowOf: () => undefined };

interface Wanted {
  readonly id: string;
  readonly about: Known | undefined;
  readonly load: () => Promise<Loaded>;
}

/**
 * Loads records of one kind. A record that the rate has room for goes by its own GET at once; others wait together, and
 * whichever GET gets a turn takes along as many as fit a page. A row counts if it proves itself, and to be as new as
 * what is known; every other record, and all of a page that fails, are asked for one by one.
 */
export class Pages {
  readonly #api: Pick<Api, 'get' | 'exchange' | 'pace'>;
  readonly #records: Records;
  readonly #trust: PageTrust;
  readonly #othersWaiting: () => number;
  readonly #listing: string;
  #gathering: Batch | undefined;
  #alone = 0;

  /** `othersWaiting` counts the events that wait for other records. */
  constructor(
    api: Pick<Api, 'get' | 'exchange' | 'pace'>,
    records: Records,
    trust: PageTrust,
    othersWaiting: () => number,
  ) {
    this.#api = api;
    this.#records = records;
    this.#trust = trust;
    this.#othersWaiting = othersWaiting;
    this.#listing = describeMany(records);
  }

  /** Rejects as the record's own GET does. */
  async load(id: string, signal: AbortSignal, { known, ...options }: LoadOptions): Promise<Loaded> {
    const isAlone = !known || !this.#trust.isOn || !LISTABLE.test(id) || this.#isFree();
    if (isAlone) return await this.#loadAlone(id, signal, options);
    const batch = this.#gather();
    const asked = rankOf('event');
    const { rank = () => asked, withinMs = PATIENCE_MS } = options;
    const joined = batch.join({ signal, rank, withinMs }, id);
    if (batch.size >= this.#trust.size) this.#ask(this.#close(batch));
    const { begunAt, answered, single, page } = await joined;
    if (begunAt > 0) options.onBegin?.(begunAt);
    const others = batch.size - 1;
    if (answered) options.onAnswer?.({ ...answered, ...(others > 0 && { others }) });
    if (single) return this.#readSingle(id, single);
    const load = () => this.#loadAlone(id, signal, options);
    return page ? await this.#loadFrom(batch, page, { id, about: await known(begunAt), load }) : await load();
  }

  #isFree(): boolean {
    return !this.#gathering && this.#api.pace.isFree(1 + this.#alone + this.#othersWaiting());
  }

  async #loadAlone(id: string, signal: AbortSignal, options: GetOptions): Promise<Loaded> {
    const { path, operation } = this.#records.one(id);
    let isPending = true;
    const begin = () => {
      if (isPending) this.#alone -= 1;
      isPending = false;
    };
    this.#alone += 1;
    const onBegin = (at: number) => {
      begin();
      options.onBegin?.(at);
    };
    const read = this.#records.readOne(id);
    return await this.#api.get(path, read, signal, { operation, ...options, onBegin }).finally(begin);
  }

  #readSingle(id: string, answer: Answer): Loaded {
    const target = { method: 'GET', path: this.#records.one(id).path } as const;
    return { value: readAnswer(target, answer, this.#records.readOne(id)), body: answer.text };
  }

  /** Asks for its turn at once unless others are known to come. */
  #gather(): Batch {
    if (this.#gathering && !this.#gathering.signal.aborted) return this.#gathering;
    const batch = new Batch();
    this.#gathering = batch;
    const ask = () => this.#ask(batch);
    if (this.#othersWaiting() > 0) setTimeout(ask, COMPANY_MS);
    else queueMicrotask(ask);
    return batch;
  }

  #close(batch: Batch): Batch {
    if (this.#gathering === batch) this.#gathering = undefined;
    return batch;
  }

  #ask(batch: Batch): void {
    if (batch.isAsked || batch.signal.aborted) return;
    batch.isAsked = true;
    void batch.run(() => this.#exchange(batch)).then(() => this.#close(batch));
  }

  async #exchange(batch: Batch): Promise<Outcome> {
    let answered: WarehouseAnswer | undefined;
    const choose = () => {
      batch.ids ??= this.#close(batch).wanted;
      const [first = '', ...others] = batch.ids;
      return others.length === 0 ? this.#records.one(first) : this.#records.many(batch.ids);
    };
    const isMany = () => (batch.ids?.length ?? 0) > 1;
    const outcome = () => ({ begunAt: batch.begunAt ?? 0, answered });
    try {
      const answer = await this.#api.exchange(choose, batch.signal, {
        rank: batch.rank,
        withinMs: Number.POSITIVE_INFINITY,
        onBegin: batch.onBegin,
        onAnswer: (it) => {
          answered = it;
        },
      });
      if (!isMany()) return { ...outcome(), single: answer };
      return { ...outcome(), page: this.#read(batch.ids ?? [], answer) };
    } catch (error) {
      if (!isMany() || !isOfPage(error)) throw error;
      this.#trust.failed(`${error.message} when asked for several at once`, error);
      return outcome();
    }
  }

  #read(ids: readonly string[], answer: Answer): Page {
    const isEmpty = answer.status === 204 || (answer.status === 404 && this.#trust.isCompared);
    const page = isEmpty ? NO_ROWS : readPage(this.#records, ids, answer);
    if (page.limitation) this.#trust.end(page.limitation);
    else if (page.count === 0) this.#trust.failed(`${this.#listing} lacks all of the records, asked for by their ids`);
    else this.#trust.answered({ asked: ids.length, count: page.count });
    return page;
  }

  /** Falls back to the record's own GET unless the row is as new as what is known, and pages are believed. */
  async #loadFrom(batch: Batch, page: Page, { id, about, load }: Wanted): Promise<Loaded> {
    const row = page.rowOf(id);
    const judged = (found: Loaded) => (about ? this.#judge(id, found.value, about) : 'unclear');
    const verdict = row && judged(row);
    if (row && verdict === 'newer') {
      this.#trust.lagged(undefined);
      if (!batch.sample && this.#trust.isSampleDue) {
        batch.sample = load().then((own) => this.#compared(row, own));
        return await batch.sample;
      }
      await batch.sample?.catch(() => undefined);
      if (this.#trust.isCompared) return row;
    }
    const own = await load();
    if (row && row.value.changedAt === undefined && this.#trust.isSampleDue) this.#compared(row, own);
    if (verdict === 'older' && judged(own) === 'newer')
      this.#trust.lagged(`${this.#listing} shows records as they were before`);
    return own;
  }

  #judge(id: string, found: Found, { stored: text, newest }: Known) {
    const stored = text === undefined ? undefined : readStored(this.#records, id, text);
    return text !== undefined && !stored ? 'unclear' : judge(found, { stored, newest });
  }

  #compared(row: Loaded, own: Loaded): Loaded {
    const other = `${this.#listing} shows other facts of a record than its own GET at the same time`;
    this.#trust.compared({
      lack: describeLack(this.#records, row, own),
      other: isOther(row.value, own.value) ? other : undefined,
    });
    return own;
  }
}

/** Reports whether the records of a failed page may be had one by one; without a token nothing is. */
const isOfPage = (error: unknown): error is DocklineError =>
  error instanceof DocklineError &&
  error.code !== 'ERR_WAREHOUSE_TOKEN' &&
  error.code !== 'ERR_WAREHOUSE_UNAUTHENTICATED';
