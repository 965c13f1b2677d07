from plainly.errors import MissingResource as MissingResource
