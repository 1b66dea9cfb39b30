import os

import mf2py

print(mf2py.Parser(url=os.environ["PAGE"]).to_json())
