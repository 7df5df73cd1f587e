export interface Scheduled {
  readonly atMs: number;
}

/** A binary heap: the earliest event first; of two at one time, whichever was added first. */
export class EventQueue<Event extends Scheduled> {
  readonly #heap: { readonly event: Event; readonly order: number }[] = [];
  #added = 0;

  add(event: Event): void {
    const heap = this.#heap;
    let index = heap.push({ event, order: this.#added++ }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  next(): Event | null {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined) return null;
    this.#swap(0, heap.length - 1);
    heap.pop();
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let least = index;
      if (left < heap.length && this.#isBefore(left, least)) least = left;
      if (right < heap.length && this.#isBefore(right, least)) least = right;
      if (least === index) return first.event;
      this.#swap(index, least);
      index = least;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return false;
    return a.event.atMs < b.event.atMs || (a.event.atMs === b.event.atMs && a.order < b.order);
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }
}
