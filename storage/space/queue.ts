/** What waits, least bound first; equal ones by kind, then in the order of the segments and of what is in them. */
export class Queue {
  size = 0;
  #bounds = new Float64Array(64);
  #kinds = new Uint8Array(64);
  #segments = new Uint32Array(64);
  #items = new Float64Array(64);

  get least(): number {
    return this.#bounds[0];
  }

  get kind(): number {
    return this.#kinds[0];
  }

  get segment(): number {
    return this.#segments[0];
  }

  get item(): number {
    return this.#items[0];
  }

  push(bound: number, kind: number, segment: number, item: number): void {
    if (this.size === this.#bounds.length) this.#grow();
    let at = this.size++;
    while (at > 0) {
      const up = (at - 1) >>> 1;
      if (!this.#isAfter(up, bound, kind, segment, item)) break;
      this.#move(up, at);
      at = up;
    }
    this.#set(at, bound, kind, segment, item);
  }

  pop(): void {
    const last = --this.size;
    const bound = this.#bounds[last];
    const kind = this.#kinds[last];
    const segment = this.#segments[last];
    const item = this.#items[last];
    let at = 0;
    for (;;) {
      let down = at * 2 + 1;
      if (down >= last) break;
      const other = down + 1;
      if (
        other < last &&
        this.#isAfter(
          down,
          this.#bounds[other],
          this.#kinds[other],
          this.#segments[other],
          this.#items[other],
        )
      )
        down = other;
      if (this.#isAfter(down, bound, kind, segment, item)) break;
      this.#move(down, at);
      at = down;
    }
    this.#set(at, bound, kind, segment, item);
  }

  #isAfter(at: number, bound: number, kind: number, segment: number, item: number): boolean {
    if (this.#bounds[at] !== bound) return this.#bounds[at] > bound;
    if (this.#kinds[at] !== kind) return this.#kinds[at] > kind;
    if (this.#segments[at] !== segment) return this.#segments[at] > segment;
    return this.#items[at] > item;
  }

  #set(at: number, bound: number, kind: number, segment: number, item: number): void {
    this.#bounds[at] = bound;
    this.#kinds[at] = kind;
    this.#segments[at] = segment;
    this.#items[at] = item;
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#bounds[from], this.#kinds[from], this.#segments[from], this.#items[from]);
  }

  #grow(): void {
    const room = this.#bounds.length * 2;
    const [bounds, kinds, segments, items] = [
      new Float64Array(room),
      new Uint8Array(room),
      new Uint32Array(room),
      new Float64Array(room),
    ];
    bounds.set(this.#bounds);
    kinds.set(this.#kinds);
    segments.set(this.#segments);
    items.set(this.#items);
    this.#bounds = bounds;
    this.#kinds = kinds;
    this.#segments = segments;
    this.#items = items;
  }
}
