import { serveOnLoopback } from '@agent-marketplace/devkit/loopback-server.ts';
import { drawPng } from '@agent-marketplace/site/pictures/draw-png.ts';

/** A seller's server of pictures: two that are, and one that is a program. */
export async function servePictures(): Promise<{ readonly urls: string[]; close(): Promise<void> }> {
  const { port, close } = await serveOnLoopback((request, response) => {
    response.setHeader('content-type', 'image/png');
    if (request.url === '/program.png')
      response.end('<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "owned"</script></svg>');
    else response.end(drawPng(request.url === '/harbour.png' ? '0a1b2c3d' : '9f8e7d6c'));
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    urls: ['/harbour.png', '/program.png', '/tide.png'].map((path) => origin + path),
    close,
  };
}
