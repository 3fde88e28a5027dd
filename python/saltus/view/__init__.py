"""Results and live runs as one page in the browser: scene, tracks, server, stills, reports."""
