/**
 * Memory of the encoder's kernels: a bump allocator over the imported memory. Tables double when they fill,
 * so what they leave behind is at most as large as what they hold; all of it goes at the next `reset`.
 */
// The first 64 KiB hold the kernels' own scratch (see index.ts).
let top: usize = 65536;

/** Forgets everything that was allocated above `address`. */
export function reset(address: usize): void {
  top = align(address);
}

export function allocated(): usize {
  return top;
}

/** `bytes` of memory, 16-aligned, with 64 readable bytes behind them; 0 when the memory is exhausted. */
export function allocate(bytes: usize): usize {
  const address = top;
  const end = <u64>address + <u64>bytes + 80;
  const have = <u64>memory.size() << 16;
  if (end > have) {
    // Grow by an eighth at least: a grown shared memory costs a system call and new views.
    let pages = (end - have + 65535) >> 16;
    const eighth = <u64>memory.size() >> 3;
    if (pages < eighth) pages = eighth;
    if (memory.grow(<i32>pages) < 0) {
      pages = (end - have + 65535) >> 16;
      if (memory.grow(<i32>pages) < 0) return 0;
    }
  }
  top = align(<usize>end - 64);
  return address;
}

// @ts-ignore: decorator
@inline
function align(address: usize): usize {
  return (address + 15) & ~(<usize>15);
}
