// A container that says something and ends.

{
  echo(name, text):: {
    name: name,
    image: 'busybox:1.37',
    command: ['echo', text],
  },
}
