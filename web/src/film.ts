// A film, picture by picture: encoded by the browser (WebCodecs) and put into a WebM file.

const KEY_EVERY = 2; // s between pictures that stand on their own

/** Whether the browser can encode pictures. */
export const canFilm = () => typeof VideoEncoder !== "undefined";

export class Film {
  private encoder: VideoEncoder;
  private chunks: { time: number; key: boolean; data: Uint8Array<ArrayBuffer> }[] = [];
  private count = 0;
  private failed: Error | null = null;

  /** width, height: even, in pixels; rate: pictures a second. */
  constructor(readonly width: number, readonly height: number, readonly rate: number) {
    this.encoder = new VideoEncoder({
      output: (chunk) => {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        this.chunks.push({ time: Math.round(chunk.timestamp / 1000), key: chunk.type === "key", data });
      },
      error: (error) => (this.failed = error),
    });
    this.encoder.configure({ codec: "vp8", width, height, framerate: rate, bitrate: Math.max(1e6, 4 * width * height), latencyMode: "quality" });
  }

  /** Adds the next picture: a canvas, or a PNG as base64. */
  async add(picture: HTMLCanvasElement | string) {
    if (this.failed) throw this.failed;
    const image = typeof picture === "string" ? await createImageBitmap(new Blob([bytes(picture)], { type: "image/png" })) : await createImageBitmap(picture, 0, 0, this.width, this.height);
    const frame = new VideoFrame(image, { timestamp: Math.round((1e6 * this.count) / this.rate) });
    this.encoder.encode(frame, { keyFrame: this.count++ % Math.round(KEY_EVERY * this.rate) === 0 });
    frame.close();
    image.close();
    while (this.encoder.encodeQueueSize > 8) await new Promise((done) => setTimeout(done, 5));
  }

  /** The file. */
  async end(): Promise<Blob> {
    await this.encoder.flush();
    this.encoder.close();
    if (this.failed) throw this.failed;
    return new Blob([webm(this.width, this.height, (1000 * this.count) / this.rate, this.chunks)], { type: "video/webm" });
  }
}

export async function base64(blob: Blob): Promise<string> {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(",", 2)[1]);
    reader.readAsDataURL(blob);
  });
}
const bytes = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** Elements of EBML (RFC 8794), of which WebM is made: identifier, length, content. Times in ms. */
function webm(width: number, height: number, duration: number, chunks: { time: number; key: boolean; data: Uint8Array<ArrayBuffer> }[]) {
  type Part = Uint8Array<ArrayBuffer>;
  const joined = (...parts: Part[]) => {
    const all = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
    parts.reduce((at, p) => (all.set(p, at), at + p.length), 0);
    return all;
  };
  const number = (x: number, size = 8) => Uint8Array.from({ length: size }, (_, i) => Math.floor(x / 256 ** (size - 1 - i)) % 256);
  const element = (id: number, ...parts: Part[]) => {
    const name = number(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1), size = number(parts.reduce((sum, p) => sum + p.length, 0));
    size[0] = 0x01; // a length of seven bytes
    return joined(name, size, ...parts);
  };
  const whole = (id: number, x: number) => element(id, number(x)), text = (id: number, x: string) => element(id, new TextEncoder().encode(x));
  const real = (id: number, x: number) => {
    const b = new Uint8Array(8);
    new DataView(b.buffer).setFloat64(0, x);
    return element(id, b);
  };
  const clusters: Part[] = [];
  for (let i = 0; i < chunks.length; ) {
    const begin = chunks[i].time, blocks: Part[] = [];
    do {
      const { time, key, data } = chunks[i++];
      blocks.push(element(0xa3, joined(Uint8Array.of(0x81), number(time - begin, 2), Uint8Array.of(key ? 0x80 : 0), data)));
    } while (i < chunks.length && !chunks[i].key);
    clusters.push(element(0x1f43b675, whole(0xe7, begin), ...blocks));
  }
  const head = element(0x1a45dfa3, whole(0x4286, 1), whole(0x42f7, 1), whole(0x42f2, 4), whole(0x42f3, 8), text(0x4282, "webm"), whole(0x4287, 2), whole(0x4285, 2));
  const info = element(0x1549a966, whole(0x2ad7b1, 1_000_000), text(0x4d80, "Saltus"), text(0x5741, "Saltus"), real(0x4489, duration));
  const track = element(0xae, whole(0xd7, 1), whole(0x73c5, 1), whole(0x9c, 0), whole(0x83, 1), text(0x86, "V_VP8"), element(0xe0, whole(0xb0, width), whole(0xba, height)));
  return joined(head, element(0x18538067, info, element(0x1654ae6b, track), ...clusters));
}
