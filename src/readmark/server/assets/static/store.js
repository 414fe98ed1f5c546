// What a person makes of an item, kept in the browser until the server has it.
//
// Every change is written to localStorage before anything else happens, and leaves it only when the
// server has acknowledged it. Each page load is a client of its own: a client's numbers are never
// given twice, not even by a duplicated tab. Changes that a closed tab has left behind are sent, under
// their own client and numbers, by the next page that opens the assignment; sent twice, they count once.

const DEBOUNCE = 400; // ms without a change before saving
const LONGEST_WAIT = 2000; // ms that changes wait at most
const LARGEST_BATCH = 50; // changes in a request
const LARGEST_BODY = 48 * 1024; // bytes: what is sent while a page closes must be below 64 KiB
const TIMEOUT = 15000;
const POLL = 20000;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30000;
const IDLE = 30; // seconds after which nobody is taken to be working
const MOST_UNDO = 500;
const PREFIX = "readmark:queue:";

const clock = () => performance.now(); // unlike the time of day, it never goes back
const newClient = () => newId("c").padEnd(12, "0");
const copy = (value) => (value === null ? null : structuredClone(value));
const equal = (a, b) => a === b || canonical(a) === canonical(b);
const bytes = (text) => new TextEncoder().encode(text).length;

function canonical(value) {
  return JSON.stringify(value ?? null, (_, member) =>
    member && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function storedKeys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return []; // localStorage is forbidden
  }
}

/** A random id that starts with a prefix. */
export function newId(prefix) {
  const numbers = crypto.getRandomValues(new Uint8Array(12));
  return `${prefix}-${Array.from(numbers, (number) => number.toString(36).padStart(2, "0")).join("")}`;
}

/** The path of the only text in which two values differ, or null. */
function typedPath(a, b, path = "") {
  if (typeof a === "string" && typeof b === "string") return path;
  if (!a || !b || typeof a !== "object" || typeof b !== "object") return null;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const changed = [...names].filter((name) => !equal(a[name], b[name]));
  return changed.length === 1 ? typedPath(a[changed[0]], b[changed[0]], `${path}/${changed[0]}`) : null;
}

/** The changes of one client that are not acknowledged: a key each in localStorage, so that tabs never
 * overwrite each other's. Where storage is full or forbidden they are in memory only. */
class Queue {
  constructor(assignment, client) {
    this.prefix = `${PREFIX}${assignment}:${client}:`;
    this.client = client;
    this.events = [];
    this.isStored = true;
  }

  /** What other pages have left: those of closed tabs, and of open ones that are about to send it. */
  static left(assignment) {
    const queues = new Map();
    const start = `${PREFIX}${assignment}:`;
    for (const key of storedKeys()) {
      if (!key.startsWith(start)) continue;
      const [client] = key.slice(start.length).split(":");
      try {
        const event = JSON.parse(localStorage.getItem(key));
        if (!queues.has(client)) queues.set(client, new Queue(assignment, client));
        queues.get(client).events.push({ ...event, isSent: true, refusal: "" });
      } catch {
        // Broken by something else: the others are sent all the same.
      }
    }
    for (const { events } of queues.values()) events.sort((a, b) => a.sequence - b.sequence);
    return [...queues.values()].sort((a, b) => (a.client < b.client ? -1 : 1));
  }

  /** The changes to send: those that the server has refused are only kept. */
  get unsent() {
    return this.events.filter(({ refusal }) => !refusal);
  }

  write(event) {
    if (!this.events.includes(event)) this.events.push(event);
    try {
      localStorage.setItem(`${this.prefix}${event.sequence}`, JSON.stringify(event));
    } catch {
      this.isStored = false;
    }
  }

  drop(event) {
    this.events = this.events.filter(({ sequence }) => sequence !== event.sequence);
    if (!this.events.length) this.isStored = true;
    try {
      localStorage.removeItem(`${this.prefix}${event.sequence}`);
    } catch {
      // localStorage is forbidden.
    }
  }
}

class Refused extends Error {}

export class Store extends EventTarget {
  #assignment;
  #client;
  #address;
  #objects = new Map(); // the local state
  #events = new Map(); // object -> the last event seen of it, null for an untouched proposal
  #queue;
  #left; // queues of closed tabs
  #sequence = 0;
  #conflicts = new Map();
  #settled = new Set(); // conflicts that this page has settled
  #last;
  #undo = [];
  #redo = [];
  #step = null; // the step that change() collects
  #isSending = false;
  #timer = null;
  #waitingSince = null;
  #pause = 0;
  #notBefore = 0;
  #trouble = null; // "offline" | "read_only" | "signed_out"
  #message = "";
  #reason = ""; // why the server takes no more: "closed", "handed_in", ...
  #status = "saved";
  #waiting = []; // flush() promises
  #seen = clock();
  #spent = 0;
  #channel = null;
  #poll = null;
  #controller = new AbortController();

  constructor({ assignment, view, client = newClient() }) {
    super();
    this.#assignment = assignment;
    this.#client = client;
    this.#address = `/api/assignments/${encodeURIComponent(assignment)}`;
    this.#last = view.last ?? 0;
    for (const [id, { value, event }] of Object.entries(view.objects)) {
      this.#objects.set(id, value);
      this.#events.set(id, event);
    }
    for (const conflict of view.conflicts ?? []) this.#conflicts.set(conflict.event, conflict);
    this.#queue = new Queue(assignment, client);
    this.#left = Queue.left(assignment);
    for (const { events } of this.#left)
      for (const { object, value } of events) this.#show(object, value);
    this.#listen();
    if (this.#left.length) this.#schedule(0);
    this.#update();
  }

  /** The local state: values by id, changes that are not sent yet included. */
  get objects() {
    return this.#objects;
  }

  get client() {
    return this.#client;
  }

  /** Whether nobody has touched a proposal of the item yet. */
  isProposal(id) {
    return this.#events.get(id) === null && !this.#pending(id);
  }

  put(id, value) {
    this.#record(id, copy(value));
  }

  remove(id) {
    if (this.#objects.has(id)) this.#record(id, null);
  }

  /** Make several changes that are undone together. */
  change(make, label = "") {
    if (this.#step) return make();
    this.#step = { label, changes: [], time: clock() };
    try {
      return make();
    } finally {
      const step = this.#step;
      this.#step = null;
      if (step.changes.length) this.#remember(step);
    }
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  undo() {
    this.#replay(this.#undo, this.#redo, "after", "before");
  }

  redo() {
    this.#replay(this.#redo, this.#undo, "before", "after");
  }

  /** "saved", "saving", "offline", "read_only", "signed_out" or "refused". */
  get status() {
    return this.#status;
  }

  /** The server's message for a status other than "saved". */
  get message() {
    return this.#message;
  }

  /** The name of the reason for "read_only", where there is one. */
  get reason() {
    return this.#reason;
  }

  /** Changes that the server does not take: {object, value, message}. They are kept until the object
   * is changed, and are sent once more by the next page. */
  get refused() {
    return this.#queues
      .flatMap(({ events }) => events.filter(({ refusal }) => refusal))
      .map(({ object, value, refusal }) => ({ object, value, message: refusal }));
  }

  /** How many changes the server has not acknowledged yet. */
  get unsent() {
    return this.#queues.reduce((sum, queue) => sum + queue.unsent.length, 0);
  }

  /** Those of closed tabs first: the person has seen their changes when the page opened. */
  get #queues() {
    return [...this.#left, this.#queue];
  }

  /** Two versions of an object each, as the API has them. */
  get conflicts() {
    return [...this.#conflicts.values()];
  }

  /** Settle a conflict: the value becomes the object's state; null removes the object. */
  resolve(number, value) {
    const conflict = this.#conflicts.get(number);
    if (!conflict) return;
    this.#conflicts.delete(number);
    this.#settled.add(number);
    this.#record(conflict.object, copy(value), number);
    this.#emit("conflict", { event: number, isSettled: true });
  }

  /** Send everything now; resolves when the server has it all. */
  flush() {
    if (!this.unsent) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.retry();
    });
  }

  /** Try again at once: after logging in, or when the network is back. */
  retry() {
    this.#pause = this.#notBefore = 0;
    this.#schedule(0);
  }

  /** Stop listening and sending. What is not sent stays in the browser. */
  close() {
    this.#controller.abort();
    this.#channel?.close();
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    this.#timer = null;
  }

  // Changes

  #record(id, value, resolves = null, origin = "local") {
    const before = this.#objects.get(id) ?? null;
    if (equal(before, value) && resolves === null && !this.isProposal(id)) return;
    if (origin === "local" && !equal(before, value)) this.#note({ id, before, after: copy(value) });
    this.#tick();
    const earlier = this.#queue.unsent.findLast((event) => event.object === id);
    const event = {
      sequence: ++this.#sequence,
      object: id,
      value,
      base: earlier ? earlier.base : this.#baseOf(id),
      resolves,
      seconds: this.#spent,
    };
    this.#spent = 0;
    // A version that this tab has never sent is replaced, under a number of its own.
    const replaced = earlier && !earlier.isSent && earlier.resolves === null ? earlier : null;
    event.seconds = Math.round((event.seconds + (replaced?.seconds ?? 0)) * 10) / 10;
    this.#queue.write(event);
    if (replaced) this.#queue.drop(replaced);
    for (const queue of this.#queues)
      for (const old of queue.events) if (old.refusal && old.object === id) queue.drop(old);
    this.#show(id, value);
    this.#emit("change", { ids: [id], origin });
    this.#schedule(DEBOUNCE);
    this.#update();
  }

  #show(id, value) {
    if (value === null) this.#objects.delete(id);
    else this.#objects.set(id, value);
  }

  #pending(id) {
    return this.#queues.some(({ events }) => events.some(({ object }) => object === id));
  }

  /** The event that a change is based on; while that has no number yet, whose change it is. */
  #baseOf(id) {
    for (const queue of this.#left) {
      const event = queue.unsent.findLast(({ object }) => object === id);
      if (event) return `${queue.client}:${event.sequence}`;
    }
    return this.#events.get(id) ?? null;
  }

  // Undo and redo

  #note(change) {
    if (this.#step) {
      const known = this.#step.changes.find(({ id }) => id === change.id);
      if (known) known.after = change.after;
      else this.#step.changes.push(change);
    } else {
      this.#remember({ label: "", changes: [change], time: clock() });
    }
  }

  #remember(step) {
    const last = this.#undo.at(-1);
    this.#redo = [];
    if (last && this.#isTyping(last, step)) {
      last.changes[0].after = step.changes[0].after;
      last.time = step.time;
      return;
    }
    this.#undo.push(step);
    if (this.#undo.length > MOST_UNDO) this.#undo.shift();
  }

  /** Whether a step goes on typing in the text that the last one changed. */
  #isTyping(last, step) {
    if (last.changes.length !== 1 || step.changes.length !== 1) return false;
    const [a, b] = [last.changes[0], step.changes[0]];
    if (a.id !== b.id || step.time - last.time > 1000) return false;
    const path = typedPath(a.before, a.after);
    return path !== null && path === typedPath(b.before, b.after);
  }

  /** Undo or redo a step, except where somebody else has changed the object since. */
  #replay(from, to, is, becomes) {
    const step = from.pop();
    if (!step) return;
    to.push(step);
    for (const change of step.changes) {
      if (equal(this.#objects.get(change.id) ?? null, change[is]))
        this.#record(change.id, copy(change[becomes]), null, "undo");
    }
  }

  // Sending

  #schedule(delay) {
    if (this.#controller.signal.aborted) return;
    const now = clock();
    this.#waitingSince ??= now;
    const wait = Math.min(delay, Math.max(0, this.#waitingSince + LONGEST_WAIT - now));
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), Math.max(wait, this.#notBefore - now));
  }

  async #send() {
    this.#timer = null;
    this.#waitingSince = null;
    if (this.#isSending || !this.unsent || this.#controller.signal.aborted) return;
    this.#isSending = true;
    this.#update();
    try {
      while (this.unsent) await this.#sendBatch();
      this.#pause = this.#notBefore = 0;
      this.#channel?.postMessage("saved");
      for (const resolve of this.#waiting.splice(0)) resolve();
    } catch (error) {
      if (!(error instanceof Refused)) this.#fail("offline", "");
      this.#pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, this.#pause * 2));
      this.#notBefore = clock() + this.#pause;
      this.#schedule(this.#pause);
    } finally {
      this.#isSending = false;
      this.#update();
    }
  }

  async #sendBatch() {
    const queue = this.#queues.find(({ unsent }) => unsent.length);
    const batch = this.#batches(queue)[0];
    for (const event of batch) event.isSent = true;
    const response = await fetch(`${this.#address}/events`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: this.#body(queue, batch),
      signal: AbortSignal.timeout(TIMEOUT),
      redirect: "error",
    });
    if (response.ok) {
      const { results, last } = await response.json();
      this.#trouble = null;
      this.#message = this.#reason = "";
      this.#acknowledge(queue, batch, results);
      if (last > Math.max(this.#last, ...results.map(({ event }) => event))) this.poll();
      return;
    }
    const { detail = "", sequence = null, reason = response.status === 404 ? "other_account" : "" } =
      await response.json().catch(() => ({}));
    const refused = batch.find((event) => event.sequence === sequence);
    if (response.status === 422 && refused) {
      this.#settleBase(queue, refused, refused.base);
      if (queue.unsent.some((event) => event.object === refused.object && event !== refused))
        queue.drop(refused); // a later version of it is on its way
      else queue.write(Object.assign(refused, { refusal: detail }));
      this.#message = detail;
      this.#emit("refused", { object: refused.object, value: refused.value, message: detail });
      return;
    }
    const trouble = { 401: "signed_out", 403: "signed_out" }[response.status] ??
      ([404, 409, 410, 413, 422, 503, 507].includes(response.status) ? "read_only" : "offline");
    this.#fail(trouble, String(detail), String(reason));
    throw new Refused(String(detail));
  }

  /** A queue's changes in requests that are small enough to be sent while the page closes. */
  #batches(queue) {
    const batches = [[]];
    let size = 0;
    for (const event of queue.unsent) {
      const length = bytes(JSON.stringify(event)) + 1;
      const batch = batches.at(-1);
      if (batch.length && (batch.length === LARGEST_BATCH || size + length > LARGEST_BODY)) {
        batches.push([event]);
        size = length;
      } else {
        batch.push(event);
        size += length;
      }
    }
    return batches;
  }

  #body(queue, batch) {
    const events = batch.map(({ sequence, object, value, base, resolves, seconds }) => ({
      sequence,
      object,
      value,
      base: typeof base === "number" ? base : null,
      resolves,
      seconds: Math.max(0, seconds),
    }));
    return JSON.stringify({ client: queue.client, events });
  }

  #acknowledge(queue, batch, results) {
    const changed = new Set();
    const conflicts = [];
    for (const result of results) {
      const event = batch.find(({ sequence }) => sequence === result.sequence);
      if (!event) continue;
      const { object } = event;
      if (result.status === "conflict") {
        this.#settleBase(queue, event, event.base);
        for (const [number, known] of this.#conflicts)
          if (known.client === queue.client && known.object === object) this.#conflicts.delete(number);
        const conflict = {
          event: result.event,
          object,
          value: event.value,
          base: event.base,
          current: result.current,
          current_value: result.current_value,
          client: queue.client,
        };
        this.#conflicts.set(result.event, conflict);
        conflicts.push(conflict);
      } else {
        this.#settleBase(queue, event, result.event);
      }
      queue.drop(event);
      // What was sent before may have been replaced since.
      if (result.current === null) this.#receive(object, event.value, result.event, changed);
      else this.#receive(object, result.current_value, result.current, changed);
    }
    this.#left = this.#left.filter(({ events }) => events.length);
    if (changed.size) this.#emit("change", { ids: [...changed], origin: "remote" });
    for (const conflict of conflicts) this.#emit("conflict", conflict);
  }

  /** Give changes that are based on a closed tab's change the number that it now has. */
  #settleBase(queue, event, number) {
    const name = `${queue.client}:${event.sequence}`;
    for (const other of this.#queues)
      for (const later of other.events)
        if (later.base === name) other.write(Object.assign(later, { base: number }));
  }

  #fail(trouble, message, reason = "") {
    this.#trouble = trouble;
    this.#message = message;
    this.#reason = reason;
  }

  // What other tabs and devices do

  /** Take the state that the server has of an object, unless there are changes of it to send. */
  #receive(object, value, number, changed) {
    if (number < (this.#events.get(object) ?? 0)) return;
    this.#events.set(object, number);
    if (this.#pending(object) || equal(this.#objects.get(object) ?? null, value)) return;
    this.#show(object, value);
    changed.add(object);
  }

  /** Ask what other tabs and devices have changed. */
  async poll() {
    let news;
    try {
      const response = await fetch(`${this.#address}/events?after=${this.#last}`, {
        signal: AbortSignal.timeout(TIMEOUT),
        redirect: "error",
      });
      if (!response.ok) return;
      news = await response.json();
    } catch {
      return; // tried again soon
    }
    const changed = new Set();
    for (const { event, object, value } of news.events) this.#receive(object, value, event, changed);
    this.#last = Math.max(this.#last, news.last);
    const before = new Set(this.#conflicts.keys());
    for (const conflict of news.conflicts)
      if (!this.#settled.has(conflict.event)) this.#conflicts.set(conflict.event, conflict);
    const open = new Set(news.conflicts.map(({ event }) => event));
    for (const number of before) if (!open.has(number) && number <= news.last) this.#conflicts.delete(number);
    if (changed.size) this.#emit("change", { ids: [...changed], origin: "remote" });
    const after = [...this.#conflicts.keys()];
    if (after.length !== before.size || after.some((number) => !before.has(number)))
      this.#emit("conflict", {});
  }

  // The page

  #listen() {
    const { signal } = this.#controller;
    const leave = () => this.#sendLast();
    addEventListener("pagehide", leave, { signal });
    addEventListener("online", () => this.retry(), { signal });
    addEventListener("offline", () => {
      if (this.unsent) this.#fail("offline", "");
      this.#update();
    }, { signal });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") return leave();
      this.#seen = clock();
      if (this.unsent) this.retry();
      this.poll();
    }, { signal });
    addEventListener("focus", () => this.#trouble && this.retry(), { signal });
    addEventListener("beforeunload", (event) => {
      if (!this.#queue.isStored) event.preventDefault();
    }, { signal });
    for (const name of ["pointerdown", "keydown", "wheel", "scroll"])
      document.addEventListener(name, () => this.#tick(), { signal, passive: true, capture: true });
    if ("BroadcastChannel" in window) {
      this.#channel = new BroadcastChannel(`readmark:${this.#assignment}`);
      this.#channel.onmessage = () => this.poll();
    }
    this.#poll = setInterval(() => document.visibilityState === "visible" && this.poll(), POLL);
  }

  /** The page may be closing: send without waiting for an answer. What is not acknowledged stays. */
  #sendLast() {
    let left = LARGEST_BODY;
    let isFirst = true;
    for (const queue of this.#queues) {
      if (!queue.unsent.length) continue;
      if (queue.unsent.some(({ base }) => typeof base === "string")) return;
      for (const batch of this.#batches(queue)) {
        // Requests can overtake each other, and what was handed in for good takes no more changes.
        if (!isFirst && batch.some(({ object }) => object === "status")) return;
        isFirst = false;
        const body = this.#body(queue, batch);
        left -= bytes(body);
        if (left < 0) return;
        for (const event of batch) event.isSent = true;
        fetch(`${this.#address}/events`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
          keepalive: true,
        }).catch(() => {});
      }
    }
  }

  /** Count the time since the last sign of a person, up to half a minute. */
  #tick() {
    const now = clock();
    if (document.visibilityState === "visible") this.#spent += Math.min((now - this.#seen) / 1000, IDLE);
    this.#seen = now;
  }

  #update() {
    const status =
      this.unsent && this.#trouble
        ? this.#trouble
        : this.unsent
          ? "saving"
          : this.refused.length
            ? "refused"
            : "saved";
    if (status === this.#status) return;
    this.#status = status;
    this.#emit("status", { status, message: this.#message });
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
