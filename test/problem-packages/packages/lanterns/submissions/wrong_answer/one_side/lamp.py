lit = {{reach}}
