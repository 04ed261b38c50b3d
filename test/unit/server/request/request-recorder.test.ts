import { RequestRecorder } from '../../../../server/request/request-recorder';

test('remembers the last slow requests, newest first, without what was asked for', () => {
  const recorder = new RequestRecorder();
  recorder.noteSlow('GET', '/fast', 200, 99.9, 1);
  for (let n = 0; n < 40; n++) recorder.noteSlow('GET', `/i${n}/_search?q=secret`, 200, 100 + n, n);
  expect(recorder.slow).toHaveLength(32);
  expect(recorder.slow[0]).toEqual({
    timestamp: 39,
    tookMs: 139,
    method: 'GET',
    path: '/i39/_search',
    status: 200,
  });
  recorder.noteSlow('GET', `/${'x'.repeat(5000)}`, 0, 200, 50);
  expect(recorder.slow[0]!.path).toHaveLength(201);
});
