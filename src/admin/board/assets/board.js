// Shows times in the reader's zone and keeps the page up to date. The page works without it.

const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const minutes = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const dayAndMinutes = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
const hours = new Intl.DateTimeFormat(undefined, { hour: 'numeric' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', month: 'long', day: 'numeric' });

/** @param {Date} date */
const isToday = (date) => date.toDateString() === new Date().toDateString();

/** @type {Record<string, (date: Date) => string>} */
const forms = {
  hour: (date) => hours.format(date),
  minute: (date) => (isToday(date) ? minutes : dayAndMinutes).format(date),
  day: () => day.format(Date.now()),
};
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/**
 * Shows the times of a part in the reader's zone, with the exact one on hover.
 *
 * @param {ParentNode} part
 */
function localize(part) {
  const today = new Date().toDateString();
  for (const time of part.querySelectorAll('time')) {
    const date = new Date(time.dateTime);
    time.title = `${exact.format(date)} (${time.dateTime})`;
    if ('age' in time.dataset) continue;
    const { form } = time.dataset;
    if (form !== undefined) {
      time.textContent = forms[form]?.(date) ?? '';
      continue;
    }
    // An entry is below the heading of its day, which those that are folded in it may not share.
    const entry = time.closest('.timeline > li')?.querySelector('time');
    const isOfDay = date.toDateString() === (entry ? new Date(entry.dateTime).toDateString() : today);
    time.textContent = (isOfDay ? times : dates).format(date);
  }
  part.querySelectorAll('.timeline:has(.day)').forEach(divide);
  for (const bar of part.querySelectorAll('[data-at]')) {
    const title = bar.querySelector('title');
    const text = title?.textContent?.replace(
      /^\d\d:\d\d UTC/,
      hours.format(new Date(bar.getAttribute('data-at') ?? 0)),
    );
    if (title && text) title.textContent = text;
  }
  const { timeZone } = times.resolvedOptions();
  for (const zone of part.querySelectorAll('[data-zone]')) zone.textContent = timeZone;
  for (const link of part.querySelectorAll('a[href*=".csv"]')) {
    const url = new URL(link.getAttribute('href') ?? '', location.href);
    url.searchParams.set('zone', timeZone);
    link.setAttribute('href', url.pathname + url.search);
  }
}

/**
 * Puts the headings of a timeline's days where the reader's days begin.
 *
 * @param {Element} timeline
 */
function divide(timeline) {
  const headings = [...timeline.querySelectorAll('.day')];
  for (const heading of headings) heading.remove();
  let last = '';
  for (const entry of [...timeline.children]) {
    const day = days.format(new Date(entry.querySelector('time')?.dateTime ?? 0));
    if (day === last) continue;
    last = day;
    const heading = /** @type {Element} */ (headings[0]?.cloneNode(true));
    /** @type {Element} */ (heading.firstElementChild).textContent = day;
    entry.before(heading);
  }
}

const main = document.querySelector('main');
const light = document.querySelector('#live');
const state = document.querySelector('#live-state');

/** Time between two updates, in milliseconds, and number of them after which the page is fetched though it is the same. */
const EVERY = 2000;
const ANYHOW = 8;

let isFollowing = false;
let isPaused = false;

/** @type {string | null | undefined} Version of the shown page, of which ages are no part; undefined for one that never changes. */
let version = document.documentElement.dataset.version;

/** Fetches the page again and changes what differs, so that focus, selection and scroll stay where they are. False if it cannot. */
async function update() {
  const response = await fetch(location.href, { headers: version ? { 'if-none-match': version } : {} });
  if (response.status === 401) location.reload();
  if (!response.ok || isPaused) return response.status === 304;
  version = response.headers.get('etag');
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  localize(fresh);
  const content = fresh.querySelector('main');
  document.title = fresh.title;
  for (const id of ['rail', 'guide']) morph(document.getElementById(id), fresh.getElementById(id));
  morph(main, content);
  return true;
}

/**
 * Changes what differs in an element, but for what the reader has done to it.
 *
 * @param {Element | null} shown
 * @param {Element | null} fresh
 */
function morph(shown, fresh) {
  if (!shown || !fresh) return;
  Idiomorph.morph(shown, fresh, {
    morphStyle: 'outerHTML',
    callbacks: {
      // Keeps a form that the reader fills in, details that the reader has opened or closed, a button that was pressed, and the notice
      // of an action.
      beforeNodeMorphed: (node) => !(node instanceof Element && node.matches('form.filters, #notice')),
      beforeAttributeUpdated: (name, node) =>
        !(name === 'open' && node instanceof HTMLDetailsElement) && name !== 'aria-busy',
      beforeNodeRemoved: (node) => !(node instanceof Element && node.id === 'notice'),
    },
  });
}

/** Updates the page unless it is paused or hidden. */
async function follow() {
  if (isFollowing) return;
  isFollowing = true;
  for (let updates = 1; !isPaused && !document.hidden; updates += 1) {
    // For the ages in it.
    if (updates % ANYHOW === 0) version = null;
    // Dockline restarts if it does not answer, and an answer may break off at any place.
    show(await update().catch(() => false));
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  isFollowing = false;
}

/** @param {boolean} isLive */
function show(isLive) {
  if (!light || !state) return;
  light.classList.toggle('on', isLive && !isPaused);
  const text = isPaused ? 'Paused' : isLive ? 'Live' : 'Connecting…';
  if (state.textContent !== text) state.textContent = text;
}

localize(document);
document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
const address = new URL(location.href);
// A notice is shown once; a reload does not show it again.
if (address.searchParams.has('done')) {
  address.searchParams.delete('done');
  history.replaceState(null, '', address);
}
if (version !== undefined && light instanceof HTMLElement) {
  light.hidden = false;
  light.addEventListener('click', () => {
    isPaused = !isPaused;
    show(false);
    follow();
  });
  document.addEventListener('visibilitychange', follow);
  follow();
}

// As other consoles have it. Whoever writes in a field means the character.
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  const isWriting = target instanceof HTMLElement && target.matches('input, textarea, select');
  const search = document.querySelector('input[type="search"]');
  if (key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (search instanceof HTMLInputElement) search.select();
});

// A button that was pressed says so until the page that answers is here, and does nothing more.
document.addEventListener('submit', (event) => {
  const { submitter } = event;
  if (!(submitter instanceof HTMLButtonElement)) return;
  if (submitter.ariaBusy === 'true') return event.preventDefault();
  submitter.ariaBusy = 'true';
});
// A page that comes back from the history has answered.
window.addEventListener('pageshow', () => {
  for (const busy of document.querySelectorAll('button[aria-busy]')) busy.removeAttribute('aria-busy');
});
