// The line to the server: typed binary messages, as python/saltus/view/protocol.py describes them.
import { inflated } from "./recording";

export interface Status { time: number; running: boolean; status: string; speed: number; message: string; events: [number, string, number, number][]; parameters: number[]; until: number; energy: [number, number] | null }

export interface Listener {
  scene(which: number, container: ArrayBuffer): void;
  states(t: Float64Array, poses: Float32Array, residual: Float32Array, away: Uint8Array): void;
  forces(values: Float32Array): void;
  cleared(): void;
  status(status: Status): void;
  error(text: string): void;
  closed(): void;
}

export class Link {
  private socket: WebSocket;
  private waiting = new Map<number, (container: ArrayBuffer | null) => void>();
  private asked = 0;
  private queue: Promise<void> = Promise.resolve();

  constructor(address: string, private listener: Listener) {
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event) => {
      this.queue = this.queue.then(() => this.take(event.data as ArrayBuffer)).catch((error) => listener.error(String(error)));
    };
    this.socket.onclose = () => listener.closed();
  }

  private async take(data: ArrayBuffer) {
    const view = new DataView(data), kind = view.getUint8(0);
    if (kind === 1) this.listener.scene(view.getUint8(1), await inflated(new Uint8Array(data, 8)));
    else if (kind === 2) {
      const n = view.getUint32(4, true), frames = view.getUint32(8, true);
      this.listener.states(new Float64Array(data, 16, n), new Float32Array(data, 16 + 8 * n, 7 * n * frames), new Float32Array(data, 16 + 8 * n + 28 * n * frames, n), new Uint8Array(data, 16 + 12 * n + 28 * n * frames));
    } else if (kind === 3) this.listener.status(JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8))));
    else if (kind === 4) {
      const request = view.getUint32(4, true);
      this.waiting.get(request)?.(data.byteLength > 8 ? data.slice(8) : null);
      this.waiting.delete(request);
    } else if (kind === 5) this.listener.error(new TextDecoder().decode(new Uint8Array(data, 8)));
    else if (kind === 6) this.listener.cleared();
    else if (kind === 7) this.listener.forces(new Float32Array(data, 8));
  }

  get open() { return this.socket.readyState === WebSocket.OPEN; }

  private send(bytes: number, fill: (view: DataView) => void) {
    if (!this.open) return;
    const view = new DataView(new ArrayBuffer(bytes));
    fill(view);
    this.socket.send(view.buffer as ArrayBuffer);
  }
  private word(kind: number) { this.send(1, (v) => v.setUint8(0, kind)); }
  play() { this.word(1); }
  pause() { this.word(2); }
  step() { this.word(3); }
  reset() { this.word(4); }
  speed(x: number) { this.send(5, (v) => (v.setUint8(0, 5), v.setFloat32(1, x, true))); }
  drag(frame: number, local: number[], target: number[]) {
    this.send(29, (v) => {
      v.setUint8(0, 6);
      v.setUint32(1, frame, true);
      [...local, ...target].forEach((x, i) => v.setFloat32(5 + 4 * i, x, true));
    });
  }
  release() { this.word(7); }
  parameter(index: number, value: number) {
    this.send(11, (v) => (v.setUint8(0, 8), v.setUint16(1, index, true), v.setFloat64(3, value, true)));
  }
  /** Values of a quantity over the run: a container with series, null where there are none. */
  series(which: number, path: string): Promise<ArrayBuffer | null> {
    const text = new TextEncoder().encode(path), request = ++this.asked;
    if (!this.open) return Promise.resolve(null);
    return new Promise((done) => {
      this.waiting.set(request, done);
      this.send(6 + text.length, (v) => {
        v.setUint8(0, 9);
        v.setUint32(1, request, true);
        v.setUint8(5, which);
        text.forEach((c, i) => v.setUint8(6 + i, c));
      });
    });
  }
}
